// Compiled by settings.test.ts, with `exactOptionalPropertyTypes`.
import { aiService, messageWindowMemory, tool } from '../../src/index.ts';
import { anthropic } from '../../src/provider/anthropic/index.ts';
import { openAiChat } from '../../src/provider/openai/index.ts';
import * as z from 'zod';

/** What an environment or a form may have, or not. */
declare const text: string | undefined;
declare const count: number | undefined;
declare const flag: boolean | undefined;
declare const signal: AbortSignal | undefined;

const model = openAiChat({
  modelName: 'm',
  apiKey: text,
  baseUrl: text,
  maxRetries: count,
  timeout: { idle: count },
  defaultRequest: { temperature: count },
});
anthropic({ modelName: 'm', baseUrl: text, cacheControl: flag });

const weather = tool({
  name: 'weather',
  description: text,
  needsApproval: flag,
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => city.length,
  compensate: ({ arguments: args, resultObject }) => [args?.city.at(0), resultObject?.toFixed()],
});
const service = aiService({
  model,
  tools: [weather],
  name: text,
  systemMessage: text,
  toolTimeout: count,
  compensateOnToolErrors: flag,
  limits: { duration: count, then: flag ? 'answer' : undefined },
  chatMemory: messageWindowMemory({ maxMessages: 10, id: text }),
});
void service.text('Go', { signal, memoryId: text, model: flag ? model : undefined, chatRequest: { maxOutputTokens: count } });
