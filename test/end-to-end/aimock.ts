import { LLMock } from '@copilotkit/aimock';
import { asyncScheduler, type SchedulerAction, type SchedulerLike } from 'rxjs';
import { afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import { tool } from '../../src/tool/tool.ts';

/** A server for each test of the file. It is read when a test runs. */
export function eachWithMock(): { readonly mock: LLMock } {
  const each = { mock: undefined as unknown as LLMock };
  beforeEach(async () => {
    each.mock = new LLMock({ port: 0 });
    await each.mock.start();
  });
  afterEach(() => each.mock.stop());
  return each;
}

/** Real time, in which nobody waits long. */
export const hasty: SchedulerLike = {
  now: () => asyncScheduler.now(),
  schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) =>
    asyncScheduler.schedule(work, Math.min(delay, 5), state),
};

export const weather = tool({
  name: 'weather',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => Promise.resolve(`Sun in ${city}`),
});

export const time = tool({
  name: 'time',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Noon in ${city}`,
});

/** Two rounds of two parallel calls, then the answer. */
export function twoRounds(mock: LLMock): void {
  const both = (city: string) => ({
    content: `Looking at ${city}.`,
    toolCalls: [
      { id: `w_${city}`, name: 'weather', arguments: JSON.stringify({ city }) },
      { id: `t_${city}`, name: 'time', arguments: JSON.stringify({ city }) },
    ],
  });
  mock.on({ userMessage: 'Where to?', sequenceIndex: 0 }, both('Rome'));
  mock.on({ userMessage: 'Where to?', sequenceIndex: 1 }, both('Oslo'));
  mock.on({ userMessage: 'Where to?', sequenceIndex: 2 }, { content: 'Go to Rome.' });
}
