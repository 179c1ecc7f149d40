// Vercel's AI SDK: `streamText` with the provider for servers that speak chat completions.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const inputSchema = z.object({ i: z.number().int(), pad: z.string() });

export function subject({ baseUrl, fetch, tools }) {
  const provider = createOpenAICompatible({ name: 'bench', apiKey: 'none', baseURL: baseUrl, fetch });
  const model = provider('bench');
  const toolSet = Object.fromEntries(
    tools.map(({ name, description, execute }) => [name, tool({ description, inputSchema, execute: (args) => execute(args) })]),
  );

  return async (onText, { signal } = {}) => {
    let failure;
    const result = streamText({
      model,
      prompt: 'go',
      tools: tools.length ? toolSet : undefined,
      stopWhen: stepCountIs(1000),
      abortSignal: signal,
      maxRetries: 0,
      // The text stream ends without an error; it is told here.
      onError: ({ error }) => {
        failure = error;
      },
    });
    for await (const piece of result.textStream) if (onText(piece) === false) return;
    if (failure) throw failure;
    return result.text;
  };
}
