// The library as it is built, used as anybody would use it: one service, `stream`, and a subscriber that looks at each event.
import { z } from 'zod';
import { aiService, tool } from '../../../dist/index.js';
import { openAiChat } from '../../../dist/openai.js';

const parameters = z.object({ i: z.number().int(), pad: z.string() });

export function subject({ baseUrl, fetch, tools }) {
  const service = aiService({
    model: openAiChat({ modelName: 'bench', apiKey: 'none', baseUrl, fetch, maxRetries: 0 }),
    tools: tools.map(({ name, description, execute }) => tool({ name, description, parameters, execute })),
    maxToolCallingRoundTrips: 1000,
  });

  return (onText, options) =>
    new Promise((resolve, reject) => {
      const subscription = service.stream('go', options).subscribe({
        next: (event) => {
          if (event.type === 'partialResponse') {
            if (onText(event.text) !== false) return;
            subscription.unsubscribe();
            resolve();
          } else if (event.type === 'finalResponse') resolve(event.response.aiMessage.text);
        },
        error: reject,
      });
    });
}
