import type { Observable } from 'rxjs';
import { from, type ObservableInput } from 'rxjs';
import { asSchema, readUIMessageStream, uiMessageChunkSchema, validateUIMessages, type UIMessage, type UIMessageChunk } from 'ai';
import type { UiDataParts, UiMessageChunk } from '../../src/ui-message-stream/index.ts';

export type TestMessage = UIMessage<unknown, UiDataParts>;

export interface Read {
  readonly chunks: readonly UiMessageChunk[];
  /** Every state of the message that the AI SDK's reader has shown, the last one last. */
  readonly states: readonly TestMessage[];
  readonly message: TestMessage;
  /** What the reader has called its onError with. */
  readonly errors: readonly unknown[];
}

/** Reads chunks as the AI SDK does: each goes over the wire as JSON, must pass its schema, and the message that they make must be one. */
export async function read(source: ObservableInput<UiMessageChunk>, before?: TestMessage): Promise<Read> {
  const chunks = await collected(from(source));
  const sent = chunks.map((chunk) => JSON.parse(JSON.stringify(chunk)) as UIMessageChunk);
  for (const chunk of sent) {
    const checked = await asSchema(uiMessageChunkSchema()).validate!(chunk);
    if (!checked.success) throw new Error(`${JSON.stringify(chunk)} is no chunk: ${checked.error.message}`);
  }
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of sent) controller.enqueue(chunk);
      controller.close();
    },
  });
  const errors: unknown[] = [];
  const states: TestMessage[] = [];
  const reading = readUIMessageStream<TestMessage>({
    stream,
    onError: (error) => errors.push(error),
    ...(before && { message: structuredClone(before) }),
  });
  for await (const state of reading) states.push(state);
  const message = states.at(-1)!;
  if (message) await validateUIMessages<TestMessage>({ messages: [{ ...message, id: message.id || 'm' }] });
  return { chunks, states, message, errors };
}

function collected(source: Observable<UiMessageChunk>): Promise<readonly UiMessageChunk[]> {
  return new Promise((resolve, reject) => {
    const chunks: UiMessageChunk[] = [];
    source.subscribe({ next: (chunk) => chunks.push(chunk), error: reject, complete: () => resolve(chunks) });
  });
}
