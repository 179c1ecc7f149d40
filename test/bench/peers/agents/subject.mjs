// OpenAI's Agents SDK, with its model for chat completions. Tracing would send reports over the network: it is off.
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

const parameters = z.object({ i: z.number().int(), pad: z.string() });
setTracingDisabled(true);

export function subject({ baseUrl, fetch, tools }) {
  const client = new OpenAI({ apiKey: 'none', baseURL: baseUrl, fetch, maxRetries: 0 });
  const agent = new Agent({
    name: 'bench',
    model: new OpenAIChatCompletionsModel(client, 'bench'),
    tools: tools.map(({ name, description, execute }) =>
      tool({ name, description, parameters, execute: (args) => execute(args) }),
    ),
  });
  const runner = new Runner({ tracingDisabled: true });

  return async (onText, options) => {
    const result = await runner.run(agent, 'go', { ...options, stream: true, maxTurns: 1000 });
    for await (const event of result)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta')
        if (onText(event.data.delta) === false) return;
    await result.completed;
    return result.finalOutput;
  };
}
