import { LLMock } from '@copilotkit/aimock';
import { delay, of } from 'rxjs';
import { z } from 'zod';
import type { ChatModel } from '../../../src/chat/chat-model.ts';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import { aiService } from '../../../src/service/ai-service.ts';
import { tool } from '../../../src/tool/tool.ts';
import { recordCassette } from '../../../src/testing/cassette/record-cassette.ts';
import { lastOf } from '../../provider/last-of.ts';

const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => of(`Sun in ${city}`).pipe(delay(20)),
});

export const question = 'Is it sunny in Rome and Oslo?';

/** An assistant that asks for the weather of two cities at once. */
export const assistant = (model: ChatModel) => aiService({ model, tools: [weather], systemMessage: 'Be brief.' });

/** Records the assistant over HTTP, where a server answers that speaks OpenAI's format. */
export async function recordWeather(file: string | URL): Promise<string | null> {
  const mock = new LLMock({ port: 0, latency: 5 });
  const toolCalls = ['Rome', 'Oslo'].map((city) => ({ name: 'weather', arguments: JSON.stringify({ city }) }));
  mock.on({ userMessage: question, hasToolResult: false }, { content: 'Let me see. ', toolCalls });
  mock.on({ userMessage: question, hasToolResult: true }, { content: 'Yes, in both of them.' });
  await mock.start();
  try {
    const model = openAiChat({ modelName: 'gpt-x', apiKey: 'sk-live', baseUrl: `${mock.url}/v1` });
    const { content } = await lastOf(assistant(recordCassette(model, { file })).result(question));
    return content;
  } finally {
    await mock.stop();
  }
}
