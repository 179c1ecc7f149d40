// OpenAI's client: `runTools`, which is a loop around its stream helper.
import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { z } from 'zod';

const parameters = z.object({ i: z.number().int(), pad: z.string() });

export function subject({ baseUrl, fetch, tools }) {
  const client = new OpenAI({ apiKey: 'none', baseURL: baseUrl, fetch, maxRetries: 0 });
  const functions = tools.map(({ name, description, execute }) =>
    zodFunction({ name, description, parameters, function: (args) => execute(args) }),
  );
  const request = () => ({ model: 'bench', messages: [{ role: 'user', content: 'go' }] });

  return async (onText, options) => {
    // `runTools` takes no empty list of tools; without any, the same runner is had by `stream`.
    const runner = functions.length
      ? client.chat.completions.runTools(
          { ...request(), stream: true, tools: functions },
          { ...options, maxChatCompletions: 1000 },
        )
      : client.chat.completions.stream(request(), options);
    // To leave, an emitter of events has only this.
    runner.on('content', (piece) => onText(piece) === false && runner.abort());
    return runner.finalContent();
  };
}
