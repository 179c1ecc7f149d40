import { parseArgs } from 'node:util';

export interface Arguments {
  /** What was asked; empty for the question of the demo's own. */
  readonly question: string;
  /** Where the picture goes. */
  readonly svg: string | undefined;
}

/** Reads the command line; throws an Error that says what there is. */
export function argumentsOf(argv: readonly string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: { svg: { type: 'string' } }, allowPositionals: true });
    return { question: positionals.join(' ').trim(), svg: values.svg };
  } catch (error) {
    const [problem] = (error as Error).message.split(/[.:] /);
    throw new Error(`${problem}; there is --svg FILE, and a question`, { cause: error });
  }
}
