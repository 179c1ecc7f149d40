import { parseJson } from '../../chat/parse-json.ts';
import type { Turn } from '../turn.ts';
import { isText, wireText } from '../wire-values.ts';
import type { Block, Delta, MessageEvent } from './event.ts';

/** Follows one block of an answer while it streams. */
export interface BlockReader {
  delta(delta: Delta, event: MessageEvent): void;
  /** All of it is there. `isTold`: the wire said so, and not only the beginning of something else. */
  end(isTold: boolean): void;
}

type Opening = (turn: Turn, block: Block, index: number, event: MessageEvent) => BlockReader;

/** By the type of a block; those of other types are the server's own. */
const openings: Readonly<Record<string, Opening>> = {
  text: textReader,
  thinking: thinkingReader,
  redacted_thinking: redactedReader,
  tool_use: callReader,
};

/** Reads the block that an event begins. */
export function blockReader(turn: Turn, event: MessageEvent, index: number): BlockReader {
  const block = event.content_block ?? {};
  const type = block.type ?? '';
  return (Object.hasOwn(openings, type) ? openings[type]! : serverReader)(turn, block, index, event);
}

function textReader(turn: Turn, block: Block): BlockReader {
  const citations: unknown[] = Array.isArray(block['citations']) ? [...(block['citations'] as unknown[])] : [];
  let hasText = false;
  const add = (text: unknown) => {
    if (!isText(text)) return;
    hasText = true;
    turn.text(text);
  };
  turn.blockBegan();
  add(block['text']);
  return {
    delta(delta, event) {
      if (delta.type === 'text_delta') return add(delta.text);
      if (delta.type === 'citations_delta') citations.push(delta.citation);
      turn.raw(event);
    },
    end() {
      if (hasText && citations.length > 0) turn.mark({ citations });
    },
  };
}

/** Thinking goes back with its signature or not at all; a signature may stand alone, where the thinking is not shown. */
function thinkingReader(turn: Turn, block: Block): BlockReader {
  let thinking = '';
  let signature = '';
  const add = ({ thinking: piece, signature: signed }: Block) => {
    if (isText(signed)) signature += signed;
    if (!isText(piece)) return;
    thinking += piece;
    turn.thinking(piece);
  };
  turn.blockBegan();
  add(block);
  return {
    delta: add,
    end() {
      if (signature) turn.keep({ ...block, thinking, signature });
    },
  };
}

function redactedReader(turn: Turn, block: Block): BlockReader {
  turn.blockBegan();
  return { delta: () => undefined, end: () => turn.keep(block) };
}

/** What must go back with a call beside its content: which server tool made it, and of which toolset it is. */
const callExtras: readonly string[] = ['caller', 'toolset_name'];

function callReader(turn: Turn, block: Block, index: number): BlockReader {
  const extras = callExtras.map((key) => [key, block[key]] as const).filter(([, value]) => value && !isDirect(value));
  let hasPieces = false;
  const add = (piece: string) => {
    if (!piece) return;
    hasPieces = true;
    turn.call({ index, arguments: piece });
  };
  turn.call({ index, id: wireText(block['id']), name: wireText(block['name']) });
  if (extras.length > 0) turn.mark(Object.fromEntries(extras));
  return {
    delta: ({ partial_json: piece }) => add(inputText(piece)),
    end(isTold) {
      // Bridges give the arguments whole, with the beginning of the block; the API gives an empty object there.
      if (!hasPieces) add(inputText(block['input']));
      if (isTold) turn.callEnded(index);
    },
  };
}

/** Whether a call is one that the model made itself, as all are where a server tool makes none. */
export function isDirect(caller: unknown): boolean {
  return (caller as { readonly type?: unknown }).type === 'direct';
}

/** Input as JSON text, be it told so or as an object; an empty one is the place for it. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  return typeof input === 'object' && input !== null && Object.keys(input).length > 0 ? JSON.stringify(input) : '';
}

/** What the server's own tools do, and what we do not know, is shown raw and kept as it came, for the way back. */
function serverReader(turn: Turn, block: Block, _index: number, event: MessageEvent): BlockReader {
  let kept = block;
  let input = '';
  turn.blockBegan();
  turn.raw(event);
  return {
    delta(delta, told) {
      turn.raw(told);
      if (delta.partial_json !== undefined) input += inputText(delta.partial_json);
      else kept = grown(kept, delta);
    },
    end() {
      const whole: unknown = input ? parseJson(input) : kept['input'];
      // A call that was cut can't go back.
      if (input && whole === undefined) return;
      turn.keep(input ? { ...kept, input: whole } : kept);
    },
  };
}

/** Text grows by the text that is new; all else is replaced. */
function grown(block: Block, delta: Delta): Block {
  const news = Object.entries(delta)
    .filter(([key]) => key !== 'type')
    .map(([key, value]) => {
      const known = Object.hasOwn(block, key) ? block[key] : undefined;
      return [key, typeof known === 'string' && typeof value === 'string' ? known + value : value] as const;
    });
  return { ...block, ...Object.fromEntries(news) };
}
