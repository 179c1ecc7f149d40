import type { Turn } from '../turn.ts';
import type { WireReader } from '../wire.ts';
import { list, wireIndex, wireText } from '../wire-values.ts';
import { blockReader, type BlockReader } from './block-readers.ts';
import type { Delta, MessageEvent } from './event.ts';
import { stopMeaning } from './stop-reasons.ts';
import { usageCounter } from './usage.ts';

/** A block whose end has not been told. */
interface OpenBlock {
  readonly reader: BlockReader;
  readonly isCall: boolean;
  isOver: boolean;
}

/** Which block a delta begins that comes without one. */
const begunBy: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  input_json_delta: 'tool_use',
};

/** Reads the events of a Messages stream. */
export function messagesReader(turn: Turn): WireReader {
  const blocks = new Map<number, OpenBlock>();
  /** The block that began last: what names no block belongs to it. */
  let latest = -1;
  /** What was in the message before anything streamed. */
  let prefilled: readonly object[] = [];
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
    if (!before?.isCall) end(before, false);
    end(blocks.get(place), false);
    const isCall = event.content_block?.type === 'tool_use';
    const block = { reader: blockReader(turn, event, place), isCall, isOver: false };
    blocks.set(place, block);
    latest = place;
    return block;
  };
  const implied = (place: number, { type = '' }: Delta): OpenBlock | undefined => {
    const begun = Object.hasOwn(begunBy, type) ? begunBy[type] : undefined;
    return begun === undefined ? undefined : begin(Math.max(place, 0), { content_block: { type: begun } });
  };
  const add = (event: MessageEvent, delta: Delta) => {
    const place = wireIndex(event.index) ?? latest;
    const block = blocks.get(place) ?? implied(place, delta);
    if (block) block.reader.delta(delta, event);
    else turn.raw(event);
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
    if (prefilled.length > 0) turn.raw(event);
  };
  const finish = (event: MessageEvent) => {
    const { delta, usage } = event;
    if (usage) turn.counted(count(usage));
    if (delta?.stop_details) turn.raw(event);
    if (!delta?.stop_reason) return;
    endAll();
    turn.finished(stopMeaning(delta.stop_reason));
  };
  const readers: Readonly<Record<string, (event: MessageEvent) => void>> = {
    message_start: start,
    content_block_start: (event) => void begin(wireIndex(event.index) ?? latest + 1, event),
    content_block_stop: (event) => end(blocks.get(wireIndex(event.index) ?? latest), true),
    message_delta: finish,
    message_stop() {
      // A turn of the server's own tools: told whole when it began, without output of its own.
      if (blocks.size === 0 && prefilled.length > 0) turn.remember('prefilled', prefilled);
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
