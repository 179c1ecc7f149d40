import { NEVER, from } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import { eventSymbol } from '../../src/testing/event-symbol.ts';
import { recordMarbles } from '../../src/testing/record-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('recordMarbles', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('puts promise tools on frames', async () => {
    const slow = tool({ name: 'slow', execute: () => sleep(5).then(() => 'r') });
    const fast = tool({ name: 'fast', execute: async () => Promise.resolve('q') });
    const calls = { S: { name: 'slow' }, F: { name: 'fast' } };
    const model = scriptedModel(['-SF|', '-z|'], { calls });
    const events$ = aiService({ model, tools: [slow, fast] }).stream('Go');
    const recording = await recordMarbles(events$, { timers: vi, symbol: eventSymbol });
    recording.toBe('-(S<s)(F<f>f)%-->sz($|)');
  });

  it('fails with both drawings where the marbles differ', async () => {
    const recording = await recordMarbles(from(sleep(3).then(() => 'a')), { timers: vi });
    recording.toBe('---(a|)');
    expect(() => recording.toBe('--(a|)')).toThrow('expected   --(a|)\nactual     ---(a|)');
  });

  it('gives up a source that does not end, and says what it did', async () => {
    await expect(recordMarbles(NEVER, { timers: vi, limit: 20 })).rejects.toThrow(
      'The source has not ended after 20 ms; so far it did: ',
    );
  });
});
