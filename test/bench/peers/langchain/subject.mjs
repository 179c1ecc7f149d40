// LangChain: `createAgent`, a graph that LangGraph runs, and its stream of messages.
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

const schema = z.object({ i: z.number().int(), pad: z.string() });

export function subject({ baseUrl, fetch, tools }) {
  const agent = createAgent({
    model: new ChatOpenAI({
      model: 'bench',
      apiKey: 'none',
      streaming: true,
      maxRetries: 0,
      configuration: { baseURL: baseUrl, fetch },
    }),
    tools: tools.map(({ name, description, execute }) => tool((args) => execute(args), { name, description, schema })),
  });

  return async (onText, options) => {
    const stream = await agent.stream(
      { messages: [{ role: 'user', content: 'go' }] },
      { ...options, streamMode: 'messages', recursionLimit: 10_000 },
    );
    let text = '';
    for await (const [message] of stream) {
      if (message.type !== 'ai' || !message.text) continue;
      text += message.text;
      if (onText(message.text) === false) break;
    }
    return text;
  };
}
