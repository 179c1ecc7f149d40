import { describe, it } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';

describe('a whole invocation', () => {
  it('runs two tools while the model still streams, and goes on when both have ended', () => {
    runMarbles(({ expectEvents }) => {
      const model = scriptedModel(['-t-A--B--|', '-z|']);
      const tools = [scriptedTool('a', '-----------r|'), scriptedTool('b', '--r|')];
      expectEvents(aiService({ model, tools }).stream('hello')).toBe('-t-(A<a)--(B<b)-*b(%>b)----*a>az($|)');
    });
  });
});
