import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../src/chat/chat-request.ts';
import { anthropic } from '../../src/provider/anthropic/index.ts';
import { gemini } from '../../src/provider/gemini/index.ts';
import { ollama } from '../../src/provider/ollama/index.ts';
import { openAiChat, openAiResponses } from '../../src/provider/openai/index.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { chatDecisionModel } from '../../src/tool/decision/chat-decision-model.ts';
import { toObservable } from '../../src/chat/value.ts';
import { ended } from '../service/started.ts';

const makers = { openAiChat, openAiResponses, anthropic, gemini, ollama };
const messages: ChatRequest['messages'] = [{ role: 'user', contents: [{ type: 'text', text: 'hi' }] }];

/** A model whose requests go nowhere, and the bodies of those that went out. */
function modelOf(name: keyof typeof makers, defaultRequest: Partial<ChatRequest> = {}) {
  const bodies: string[] = [];
  const fetch = (_: unknown, init?: RequestInit) => {
    bodies.push(init!.body as string);
    return Promise.resolve(new Response('no', { status: 400 }));
  };
  return { model: makers[name]({ modelName: 'm', fetch, defaultRequest }), bodies };
}

async function failure(name: keyof typeof makers, request: Partial<ChatRequest>, defaults?: Partial<ChatRequest>) {
  const { model, bodies } = modelOf(name, defaults);
  const error: unknown = await ended(model.chat({ messages, ...request })).catch((reason: unknown) => reason);
  return { error: error as Error, bodies };
}

describe.each(Object.keys(makers) as (keyof typeof makers)[])('%s in a request without tools', (name) => {
  it.each(['required', { name: 'add' }] as const)(
    'refuses a choice that forces a tool, before anything is sent: %j',
    async (toolChoice) => {
      for (const toolSpecifications of [undefined, []]) {
        const { error, bodies } = await failure(name, { toolChoice, ...(toolSpecifications && { toolSpecifications }) });
        expect(error).toMatchObject({ name: 'ChatModelError', kind: 'invalidRequest', retryable: false });
        const said = typeof toolChoice === 'string' ? toolChoice : toolChoice.name;
        expect(error.message).toContain(
          `does not take toolChoice ${said} without tools: leave it out, or give the request its tools.`,
        );
        expect(bodies).toEqual([]);
      }
    },
  );

  it.each(['auto', 'none'] as const)('takes %s, and has nothing to say of it', async (toolChoice) => {
    const { bodies } = await failure(name, { toolChoice });
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).not.toMatch(/tool_?choice|toolConfig/i);
  });

  it('lets a default of the model wait for a request with tools', async () => {
    const { bodies } = await failure(name, {}, { toolChoice: 'required' });
    expect(bodies).toHaveLength(1);
  });
});

describe('a model whose default forces a tool', () => {
  it('can still decide', async () => {
    const { model, bodies } = modelOf('openAiChat', { toolChoice: 'required' });
    const decision = chatDecisionModel({ model }).decide({ input: 'x', questions: [{ id: 'q', text: '?' }] });
    await expect(ended(toObservable(decision))).rejects.toThrow('no');
    expect(bodies).toHaveLength(1);
  });
});

describe('a service without tools', () => {
  it('fails where the caller forces one', async () => {
    const { model } = modelOf('openAiChat');
    const text$ = aiService({ model }).result('hi', { chatRequest: { toolChoice: 'required' } });
    await expect(ended(text$)).rejects.toThrow('toolChoice required without tools');
  });
});
