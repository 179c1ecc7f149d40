import 'node:process';
import fc from 'fast-check';
import { of, throwError, timer, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ChatMessage } from '../../src/chat/message.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { toolScheduler } from '../../src/testing/tool-scheduler.ts';
import { tool } from '../../src/tool/tool.ts';
import { fromUiMessages, toUiMessageStream, type UiMessageChunk } from '../../src/ui-message-stream/index.ts';
import { repairHistory } from '../../src/memory/repair-history.ts';
import { read } from './read.ts';

const partial = (id: string): ChatModelEvent => ({ type: 'partialToolCall', index: 9, id, name: 'cut', partialArguments: '{"a' });
const symbol = fc.constantFrom('t', '-', '~', 'O', 'S', 'F', 'P', 'X', 'C');
const round = fc
  .tuple(fc.array(symbol, { maxLength: 8 }), fc.constantFrom('|', '|', '|', '#'))
  .map(([symbols, end]) => symbols.join('') + end);

const tools = [
  tool({ name: 'o', execute: () => 'ok' }),
  tool({ name: 's', execute: () => timer(3).pipe(map(() => ({ slow: true }))) }),
  tool({ name: 'f', execute: () => throwError(() => new Error('secret')) }),
  tool({ name: 'p', execute: () => of(1, 2) }),
];

const withoutIds = (messages: readonly ChatMessage[]) =>
  JSON.stringify(messages, (key, value: unknown) => (key === 'id' ? undefined : value));

describe('whatever happens in an invocation', () => {
  it('the AI SDK reads it: each chunk passes its schema, the message is one, nothing is left open, and it can be posted again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 1, maxLength: 4 }),
        fc.record({
          roundRetries: fc.nat(2),
          toLlm: fc.boolean(),
          leaveAt: fc.option(fc.nat(25)),
          toolConcurrency: fc.integer({ min: 1, max: 3 }),
        }),
        async (rounds, { roundRetries, toLlm, leaveAt, toolConcurrency }) => {
          const chunks: UiMessageChunk[] = [];
          let hasCompleted = false;
          const scheduler = toolScheduler();
          scheduler.run(({ flush }) => {
            const model = scriptedModel([...rounds, 'z|'], { events: { C: partial('cut') } });
            const service = aiService({
              model,
              tools,
              roundRetries,
              toolConcurrency,
              hallucinatedToolNameStrategy: () => 'There is none.',
              ...(toLlm && { toolExecutionErrorHandler: () => 'It failed.' }),
            });
            const running = service.start('Go');
            running.events$.pipe(toUiMessageStream()).subscribe({
              next: (chunk) => chunks.push(chunk),
              error: expect.unreachable,
              complete: () => (hasCompleted = true),
            });
            if (leaveAt !== null) scheduler.schedule(() => running.cancel(), leaveAt);
            flush();
          });
          expect(hasCompleted).toBe(true);
          expect(['finish', 'error', 'abort']).toContain(chunks.at(-1)!.type);
          expect(JSON.stringify(chunks)).not.toContain('secret');
          const { message, errors } = await read(chunks);
          expect(errors).toHaveLength(chunks.at(-1)!.type === 'error' ? 1 : 0);
          if (!message) return;
          for (const part of message.parts) {
            if (part.type === 'text' || part.type === 'reasoning') expect(part.state).toBe('done');
            else if ('toolCallId' in part) expect(part.state).toMatch(/^output-/);
          }
          const steps = chunks.filter(({ type }) => type === 'start-step').length;
          expect(chunks.filter(({ type }) => type === 'finish-step')).toHaveLength(steps);
          const { messages } = fromUiMessages([message]);
          // The history holds together, but for an id that the script gives to every call that is cut.
          expect(withoutIds(repairHistory(messages))).toBe(withoutIds(messages));
        },
      ),
      { numRuns: 200 },
    );
  });
});
