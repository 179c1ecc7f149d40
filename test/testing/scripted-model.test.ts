import { toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import { lastOf } from '../provider/last-of.ts';

const request: ChatRequest = { messages: [{ role: 'user', contents: [{ type: 'text', text: 'Go' }] }] };
const add = tool({ name: 'add', execute: (args) => JSON.stringify(args) });

describe('a model that follows a script', () => {
  it('says a list at once: texts, calls and any event', async () => {
    const model = scriptedModel([
      ['Let me see. ', { call: 'add', arguments: { a: 1 } }],
      [{ type: 'partialThinking', text: 'Hm' }, 'It is ', '2.'],
    ]);
    const result = await lastOf(aiService({ model, tools: [add] }).result('1 + 1?'));
    expect(result.content).toBe('It is 2.');
    expect(result.finalResponse.aiMessage.thinking).toBe('Hm');
    expect(result.toolExecutions).toMatchObject([{ request: { name: 'add', arguments: '{"a":1}' } }]);
    expect(model.requests).toHaveLength(2);
  });

  it('fails a request beyond its script, and draws it', async () => {
    const failure = lastOf(aiService({ model: scriptedModel([[{ call: 'add' }]]), tools: [add] }).result('Go'));
    await expect(failure).rejects.toThrow(
      'The script has 1 answer, and this is request 2:\n    user: Go\n    assistant: add()\n    add: {}',
    );
  });

  it('fails a request that is not as it expects it', async () => {
    const asked = (expects: Partial<ChatRequest> | (() => void)) =>
      lastOf(
        scriptedModel([{ marbles: 'z|', expects }])
          .chat(request)
          .pipe(toArray()),
      );
    await expect(asked({ temperature: 0 })).rejects.toThrow(
      'Request 1 is not as the script expects it, {"temperature":0}; it is:\n    temperature: undefined\n    user: Go',
    );
    await expect(asked(() => expect(1).toBe(2))).rejects.toThrow('expected 1 to be 2');
    await expect(asked({ messages: request.messages })).resolves.toHaveLength(2);
  });
});
