import type { Random } from './random.ts';

/** What the model says in one answer, before a wire puts it into frames. */
export interface ModelTurn {
  readonly thinking: string;
  /** In the pieces in which it streams. */
  readonly text: readonly string[];
  readonly calls: readonly ModelCall[];
  /** Whether the limit of output tokens has cut it. */
  readonly isCut: boolean;
}

interface ModelCall {
  /** Missing and repeated ids are usual on too many servers. */
  readonly id: string | undefined;
  readonly name: string;
  /** JSON text, or what the model takes for it, in pieces. */
  readonly arguments: readonly string[];
  /** The argument that the tool is to get. `unfit`: it is not to be called. */
  readonly n: number | undefined | 'unfit';
}

export interface TurnOptions {
  /** Of the tools that it may call. */
  readonly names: readonly string[];
  /** Which answer of the invocation it is: the later, the fewer calls. */
  readonly place: number;
  readonly isFlood: boolean;
}

interface Written {
  readonly weight: number;
  readonly text: (n: number) => string;
  readonly means: 'n' | 'none' | 'unfit';
}

const written: readonly Written[] = [
  { weight: 20, text: (n) => JSON.stringify({ n }), means: 'n' },
  { weight: 2, text: (n) => `{ "n" : ${n}, "note": "a \\"quoted\\" word, \\u00e9 and 🙂" }`, means: 'n' },
  { weight: 2, text: () => '', means: 'none' },
  { weight: 1, text: () => '{"n":"many"}', means: 'unfit' },
  { weight: 1, text: (n) => `{'n': ${n},}`, means: 'n' },
  { weight: 1, text: (n) => `{"n": ${n}`, means: 'unfit' },
  { weight: 1, text: () => '[1, 2]', means: 'unfit' },
];

/** The id that servers give which number their calls. */
export const repeatedId = 'call_0';

/** What a model says that has these tools. */
export function modelTurn(random: Random, { names, place, isFlood }: TurnOptions): ModelTurn {
  const { between, chance, pick } = random;
  const callsTools = names.length > 0 && chance(0.85 / (1 + place * 0.35));
  const calls = Array.from({ length: callsTools ? between(1, 4) : 0 }, () => callOf(random, names));
  const text = callsTools && chance(0.7) ? [] : Array.from({ length: isFlood ? 2000 : between(1, 12) }, () => wordOf(random));
  return {
    thinking: chance(0.2) ? `Let me think about ${between(1, 99)}.` : '',
    text,
    calls,
    isCut: chance(0.04) || (isFlood && pick([true, false])),
  };
}

function callOf(random: Random, names: readonly string[]): ModelCall {
  const { between, chance, pick, weighted } = random;
  const { text: textOf, means } = weighted(written);
  // Few are alike, so that it shows which is which; some are, for the limit of identical calls.
  const n = chance(0.8) ? between(10, 99_999) : between(1, 9);
  const text = textOf(n);
  const half = between(0, text.length);
  const id = chance(0.1) ? undefined : chance(0.15) ? repeatedId : `call_${between(1, 1e9)}`;
  return {
    id,
    name: chance(0.03) ? 'no_such_tool' : pick(names),
    arguments: [text.slice(0, half), text.slice(half)].filter(Boolean),
    n: means === 'n' ? n : means === 'none' ? undefined : means,
  };
}

const words = ['so', ' it', ' is', ' zwölf', ' 🙂', ' "', ' \n', ' {', ' data:', ' done', '\u2028', ' 東京'];

const wordOf = ({ pick, between }: Random): string => `${pick(words)}${between(0, 9)}`;
