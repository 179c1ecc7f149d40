import type { ChatCompletionRequest, Fixture } from '@copilotkit/aimock';
import { pace } from '../pace.ts';

/** More than there is in the account. */
export const transfer = 'Transfer 100 euros from Ada to Ben.';

/** What the embedded server answers: the money goes out before it has come in, and then what the tools have said. */
export const bankScript: Fixture[] = [
  { match: { userMessage: transfer, hasToolResult: true }, response: (request) => ({ content: report(request) }), ...pace },
  {
    match: { userMessage: transfer },
    response: {
      blocks: [
        { type: 'text', text: 'Ben gets his money first. ' },
        { type: 'toolCall', name: 'credit', arguments: '{"account":"Ben","euros":100}' },
        { type: 'text', text: 'Then I take it from Ada. ' },
        { type: 'toolCall', name: 'debit', arguments: '{"account":"Ada","euros":100}' },
      ],
    },
    ...pace,
  },
];

function report({ messages }: ChatCompletionRequest): string {
  const results = messages.flatMap(({ role, content }) => (role === 'tool' && typeof content === 'string' ? [content] : []));
  return `The transfer did not take place. This is what I was told:\n${results.map((text) => `- ${text}`).join('\n')}`;
}
