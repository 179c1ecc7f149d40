// xsAI: `streamText`, a small function without a client.
import { streamText } from '@xsai/stream-text';
import { tool } from '@xsai/tool';
import { z } from 'zod';

const parameters = z.object({ i: z.number().int(), pad: z.string() });

export function subject({ baseUrl, fetch, tools }) {
  const toolsReady = Promise.all(
    tools.map(({ name, description, execute }) => tool({ name, description, parameters, execute: (args) => execute(args) })),
  );

  return async (onText, { signal } = {}) => {
    const { textStream, steps, messages, usage, totalUsage } = streamText({
      apiKey: 'none',
      baseURL: `${baseUrl}/`,
      model: 'bench',
      messages: [{ role: 'user', content: 'go' }],
      tools: tools.length ? await toolsReady : undefined,
      maxSteps: 1000,
      abortSignal: signal,
      fetch,
    });
    // Each of them is rejected when the stream fails, whether anybody wants it or not.
    for (const promise of [messages, usage, totalUsage, steps]) promise.catch(() => {});
    for await (const piece of textStream) if (onText(piece) === false) return;
    return (await steps).at(-1).text;
  };
}
