import type { ChatCompletionRequest, Fixture } from '@copilotkit/aimock';

/** How the server writes. */
export type Pace = Pick<Fixture, 'chunkSize' | 'streamingProfile'>;

/** Slow enough to watch: pieces of 6 characters, 30 of them a second. */
export const watchable: Pace = { chunkSize: 6, streamingProfile: { ttft: 300, tps: 30, jitter: 0.2 } };

const explanation = [
  'This page is a small Angular app. A component asks for a chat, and gets signals: the messages, what is under way, what failed.',
  'Your question goes to a model as one HTTP request, and the answer is streamed back word by word.',
  'When the model calls a tool, the tool starts at once, while the model is still writing. Tools are functions of this page: one ' +
    'reads the calendar beside this text, one asks for the weather, and one adds an appointment, but only after you have agreed.',
  'What the tools find goes back to the model, which goes on until it has an answer.',
  'You can stop at any time. That closes the request, ends the tools, and costs no further tokens. To leave the page does the same.',
  'The drawing shows what ran at the same time, and what waited for what. It grows while you watch.',
].join('\n\n');

/** How an answer is written that shall be lost. */
export type Loss = Pick<Fixture, 'chunkSize' | 'recordedTimings' | 'truncateAfterChunks'>;

/** Of more pieces the server would warn that too many wait for its end. */
const afterAWhile: Loss = { truncateAfterChunks: 9 };

/** What the embedded server says, by what it is asked. Each script loses the connection once, and then every other time. */
export function script(pace: Pace, loss = afterAWhile): Fixture[] {
  let isLost = false;
  const fixtures: Fixture[] = [
    ...run,
    {
      match: { userMessage: /Atlantis/, hasToolResult: false },
      response: {
        content: 'I ask the weather service. ',
        toolCalls: [{ name: 'weather_forecast', arguments: '{"city":"Atlantis"}' }],
      },
    },
    {
      match: { userMessage: /Atlantis/, hasToolResult: true },
      response: { content: 'There is no forecast for Atlantis: no weather station stands there. Shall I look for another city?' },
    },
    {
      match: { userMessage: /Lose the connection/, predicate: () => !isLost },
      response: () => {
        isLost = true;
        return { content: 'This answer begins well, and goes on for a while, but then it will never be finished because' };
      },
      ...loss,
    },
    {
      match: { userMessage: /Lose the connection/, predicate: () => isLost },
      response: () => {
        isLost = false;
        return { content: 'This time the connection has held, and the answer is whole.' };
      },
    },
    { match: { userMessage: /How does this page work/ }, response: { content: explanation } },
    {
      match: { userMessage: /what this page is for/ },
      response: {
        content:
          'It shows a chat whose model calls tools of the page, as signals and streams. What you read here is streamed by a resource ' +
          'that ends when you leave.',
      },
    },
    { match: {}, response: (request) => ({ content: introduction(request) }) },
  ];
  return fixtures.map((fixture) => ({ ...(!fixture.recordedTimings && pace), ...fixture }));
}

const question = /dry hour/;

/** Two tools at once, then one that needs approval, then what became of it. */
const run: Fixture[] = [
  {
    match: { userMessage: question, toolResultContains: 'not approved' },
    response: { content: 'All right, I have left your calendar as it is. Friday at 09:00 would be dry, too.' },
  },
  {
    match: { userMessage: question, predicate: (request) => calledIn(request).includes('add_appointment') },
    response: { content: 'Done. Your run is on Thursday at 18:00; it will be sunny, at 21 °C.' },
  },
  {
    match: { userMessage: question, hasToolResult: true },
    response: {
      content: 'Thursday is sunny, and you are free in the evening. May I add it?',
      toolCalls: [{ name: 'add_appointment', arguments: '{"day":"Thursday","hour":18,"title":"Run"}' }],
    },
  },
  {
    match: { userMessage: question },
    response: {
      content: 'I look for free hours, and at the weather. ',
      toolCalls: [
        { name: 'find_free_hours', arguments: '{}' },
        { name: 'weather_forecast', arguments: '{"city":"Lisbon"}' },
      ],
    },
  },
];

/** The tools that have been called since the last question. */
function calledIn({ messages }: ChatCompletionRequest): readonly string[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(asked).flatMap(({ tool_calls = [] }) => tool_calls.map(({ function: { name } }) => name));
}

/** A script can't think, but it can say what a model would have to work with. */
function introduction({ tools = [] }: ChatCompletionRequest): string {
  const lines = tools.map(({ function: { name, description = '' } }) => `- ${name}: ${description}`);
  return `I am a script and can't answer that. A real model in my place could call these tools:\n${lines.join('\n')}`;
}
