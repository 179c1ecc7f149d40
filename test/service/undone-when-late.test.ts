import { NEVER, delay } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { keptLogs, play } from './support.ts';

function credit(marbles: string) {
  const undone: string[] = [];
  const made = {
    ...scriptedTool('a', marbles),
    compensate: ({ request, result, compensated }: { request: { id: string }; result: string; compensated?: string }) =>
      void undone.push(`${request.id} ${result} ${compensated}`),
  };
  return { made, undone };
}

describe('a tool that was stopped and succeeds all the same', () => {
  it('by its time limit is undone, and the model was told that it was stopped', () => {
    const { made, undone } = credit('------r|');
    const played = play({ rounds: ['A|', '------z|'], tools: [made], toolTimeout: 4, compensateOnToolErrors: true });
    expect(played.marbles).toBe('(A<a)%-->a-----z($|)');
    expect(undone).toEqual(['A r toolError']);
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [A]',
      'A! Tool a took longer than 4 ms and was stopped.',
      'assistant: z',
    ]);
    expect(played.firedTypes.filter((type) => type === 'toolCompensated')).toHaveLength(1);
  });

  it('by cancelToolCall is undone, too', () => {
    const { made, undone } = credit('------r|');
    runMarbles(({ expectEvents, at }) => {
      const options = { tools: [made], compensateOnToolErrors: true, logger: keptLogs() };
      const running = aiService({ ...options, model: scriptedModel(['A|', '-z|']) }).start('hello');
      at(2, () => expect(running.cancelToolCall('A')).toBe(true));
      expectEvents(running.events$).toBe('(A<a)%>az($|)');
    });
    expect(undone).toEqual(['A r toolError']);
  });

  it('is not undone where the service does not undo: it is torn down at once', () => {
    const { made, undone } = credit('------r|');
    play({ rounds: ['A|', '------z|'], tools: [made], toolTimeout: 4 });
    expect(undone).toEqual([]);
    expect(made.subscriptions()).toEqual(['^---!']);
  });

  it('has nothing to undo when it fails after all', () => {
    const { made, undone } = credit('------#');
    play({ rounds: ['A|', '------z|'], tools: [made], toolTimeout: 4, compensateOnToolErrors: true });
    expect(undone).toEqual([]);
  });

  it('is undone once where an interceptor held its result back beyond the time limit', () => {
    const { made, undone } = credit('-r|');
    const played = play({
      rounds: ['A|', ' 20ms z|'],
      tools: [made],
      toolTimeout: 4,
      compensateOnToolErrors: true,
      interceptors: { tool: [(_request, _context, next) => next().pipe(delay(6))] },
    });
    expect(undone).toEqual(['A r toolError']);
    expect(played.firedTypes.filter((type) => type === 'toolCompensated')).toHaveLength(1);
  });

  it('is given up when it has had its time once more', () => {
    const torn: number[] = [];
    let aborted: unknown;
    const never = tool({
      name: 'a',
      execute: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = signal.reason as unknown;
        });
        return NEVER;
      },
      compensate: () => torn.push(1),
    });
    const played = play({ rounds: ['A|', '-z|'], tools: [never], toolTimeout: 4, compensateOnToolErrors: true });
    expect(played.marbles).toBe('(A<a)%-->az($|)');
    expect(aborted).toMatchObject({ name: 'ToolTimeoutError' });
    expect(torn).toEqual([]);
    expect(played.logs).toEqual([
      ['warn', 'a was stopped in call A, and did not end within 4 ms: if it succeeds now, that is not undone.'],
    ]);
  });
});
