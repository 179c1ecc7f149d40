import type { ChatCompletionRequest, Fixture } from '@copilotkit/aimock';
import { pace } from './pace.ts';

/** Asked when nobody asks anything else. */
export const defaultQuestion =
  'Watch the clock of Tokyo for three ticks, count the files of this project, and tell me what (1234 + 5678) * 9 / 7 is.';

/** What the embedded server answers: three calls in one turn, and then what the tools have found. */
export const script: Fixture[] = [
  { match: { hasToolResult: true }, response: (request) => ({ content: answer(request) }), ...pace },
  {
    match: { userMessage: defaultQuestion },
    response: {
      blocks: [
        { type: 'text', text: 'I watch the clock of Tokyo. ' },
        { type: 'toolCall', name: 'clock', arguments: '{"city":"Tokyo","ticks":3}' },
        { type: 'text', text: 'It ticks on while I have the files counted. ' },
        { type: 'toolCall', name: 'project_files', arguments: '{"folder":"."}' },
        { type: 'text', text: 'Now a sum. ' },
        { type: 'toolCall', name: 'calculate', arguments: '{"expression":"(1234 + 5678) * 9 / 7"}' },
      ],
    },
    ...pace,
  },
  { match: {}, response: (request) => ({ content: introduction(request) }), ...pace },
];

/** Made of what the tools of this very run have said. */
function answer({ messages }: ChatCompletionRequest): string {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  const results = messages.filter(({ role }) => role === 'tool');
  const sentences = results.map(({ tool_call_id, content }) => {
    const call = calls.find(({ id }) => id === tool_call_id)?.function;
    return sentence(call?.name, call?.arguments, typeof content === 'string' ? content : '');
  });
  return `This is what the tools have found:\n${sentences.map((text) => `- ${text}`).join('\n')}`;
}

function sentence(name: string | undefined, written: string | undefined, result: string): string {
  const { expression } = factsIn(written);
  const { city, time, date, total } = factsIn(result);
  if (name === 'clock' && city) return `In ${city} it is ${time} on ${date}.`;
  if (name === 'project_files' && total) return `The project holds ${total}.`;
  if (name === 'calculate' && expression) return `${expression} is ${result}.`;
  return result;
}

function factsIn(json: string | undefined): Partial<Record<string, string>> {
  try {
    return Object(JSON.parse(json ?? '')) as Record<string, string>;
  } catch {
    return {};
  }
}

/** The answer to any other question: a script can't think, but it can say what a model would have to work with. */
function introduction({ tools = [] }: ChatCompletionRequest): string {
  const lines = tools.map(({ function: { name, description = '' } }) => `- ${name}: ${description}`);
  return `I am a script and can't answer that. A real model in my place could call these tools:\n${lines.join('\n')}`;
}
