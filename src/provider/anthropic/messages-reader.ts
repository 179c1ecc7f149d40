import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { isText, list, wireIndex, wireText } from '../wire-values.ts';
import { blockReader, isDirect, type BlockReader } from './block-readers.ts';
import type { Block, Delta, MessageEvent } from './event.ts';
import { stopMeaning } from './stop-reasons.ts';
import { usageCounter } from './usage.ts';

/** A block whose end has not been told. */
interface OpenBlock {
  readonly reader: BlockReader;
  readonly type: string | undefined;
  isOver: boolean;
}

/** In which block a delta is at home. */
const homes: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'tool_use'],
]);

/** Blocks in which nothing else is at home: what the model says and thinks. */
const spoken: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking']);

/** Reads the events of a Messages stream. */
export function messagesReader(turn: Turn): WireReader {
  const blocks = new Map<number, OpenBlock>();
  /** The block that began last: what names no block belongs to it. */
  let latest = -1;
  /** What was in the message before anything streamed, and how that message ended, if it is one that was not streamed. */
  let prefilled: readonly Block[] = [];
  let prefilledStop: string | null | undefined;
  const count = usageCounter();

  const end = (block: OpenBlock | undefined, isTold: boolean) => {
    if (!block || block.isOver) return;
    block.isOver = true;
    block.reader.end(isTold);
  };
  const endAll = () => blocks.forEach((block) => end(block, false));
  const begin = (place: number, event: MessageEvent): OpenBlock => {
    // Calls may be told side by side; of all else there is one at a time.
    const before = blocks.get(latest);
    if (before?.type !== 'tool_use') end(before, false);
    end(blocks.get(place), false);
    const block = { reader: blockReader(turn, event, place), type: event.content_block?.type, isOver: false };
    blocks.set(place, block);
    latest = place;
    return block;
  };
  const imply = (type: string, place: number) => begin(Math.max(place, 0), { content_block: { type } });
  const openCall = () => [...blocks.values()].findLast(({ type, isOver }) => type === 'tool_use' && !isOver);
  /** Some servers tell no beginning of a block, or another place: what a delta says counts more than where it stands. */
  const rehome = (delta: Delta, home: string, place: number): OpenBlock | undefined => {
    const known = blocks.get(place);
    const isAtHome = known && (known.type === home || !spoken.has(known.type));
    if (home === 'tool_use') return isAtHome && !known.isOver ? known : (openCall() ?? known ?? imply(home, place));
    const said = delta.text ?? delta.thinking;
    if (!isAtHome) return isText(said) ? imply(home, place) : known;
    if (known.type !== 'tool_use') return known;
    // The call goes on behind it.
    if (isText(said)) turn[home === 'text' ? 'text' : 'thinking'](said);
    return undefined;
  };
  const add = (event: MessageEvent, delta: Delta) => {
    const place = wireIndex(event.index) ?? latest;
    const known = blocks.get(place);
    const home = homes.get(delta.type);
    if (known && (home === undefined || (known.type === home && !known.isOver))) known.reader.delta(delta, event);
    else if (home === undefined) turn.raw(event);
    else rehome(delta, home, place)?.reader.delta(delta, event);
  };
  const start = (event: MessageEvent) => {
    const { message } = event;
    // The same message announced twice is one message, as long as nothing of it has come.
    if (blocks.size > 0) {
      throw turn.failure('malformedResponse', 'a second message began while the first was open', true);
    }
    turn.identify(wireText(message?.id), wireText(message?.model));
    if (message?.usage) turn.counted(count(message.usage));
    prefilled = list(message?.content);
    prefilledStop = message?.stop_reason;
    if (prefilled.length > 0) turn.raw(event);
  };
  /** A message that was whole when it began, and is not one of the server's own tools, is told as if it had streamed. */
  const isUntold = () => blocks.size === 0 && !prefilled.some(({ caller }) => caller && !isDirect(caller));
  const finishWith = (word: string) => {
    if (isUntold()) {
      prefilled.forEach((content_block, index) =>
        end(begin(index, { type: 'content_block_start', index, content_block }), false),
      );
    }
    endAll();
    turn.finished(stopMeaning(word));
  };
  const finish = (event: MessageEvent) => {
    const { delta, usage } = event;
    if (usage) turn.counted(count(usage));
    if (delta?.stop_details) turn.raw(event);
    if (!delta?.stop_reason) return;
    finishWith(delta.stop_reason);
  };
  const readers: Readonly<Record<string, (event: MessageEvent) => void>> = {
    message_start: start,
    content_block_start: (event) => void begin(wireIndex(event.index) ?? latest + 1, event),
    content_block_stop: (event) => end(blocks.get(wireIndex(event.index) ?? latest), true),
    message_delta: finish,
    message_stop() {
      if (blocks.size > 0 || prefilled.length === 0) return;
      if (prefilledStop && isUntold()) finishWith(prefilledStop);
      // A turn of the server's own tools: told whole when it began, without output of its own.
      else turn.remember('prefilled', prefilled);
    },
    ping: () => undefined,
  };

  return {
    read(event: MessageEvent) {
      const { type, delta } = event;
      // Nearly every event is one of these: don't look further.
      if (type === 'content_block_delta' && delta) add(event, delta);
      else if (type && Object.hasOwn(readers, type)) readers[type]!(event);
      else turn.raw(event);
      return type === 'message_stop';
    },
    end: endAll,
  };
}
