interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: unknown;
  readonly response_format?: { readonly json_schema?: { readonly name: string; readonly schema: Schema } };
}

interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
}

interface Schema {
  readonly required?: readonly string[];
}

type Call = readonly [name: string, args: object];

/** What the model calls in one answer when it is offered a tool: by default that tool, without arguments. */
const calls: Readonly<Record<string, readonly Call[]>> = {
  get_weather: [
    ['get_weather', { city: 'Paris' }],
    ['get_weather', { city: 'Rome' }],
  ],
  get_order: [['get_order', { id: '17' }]],
  add_event: [['add_event', { title: 'lunch' }]],
  reserve_seat: [['reserve_seat', { seat: '12A' }]],
  credit: [
    ['credit', { account: 'Ben', euros: 100 }],
    ['debit', { account: 'Ada', euros: 100 }],
  ],
  tool_search_tool: [['tool_search_tool', { terms: ['weather'] }]],
  delete_file: [['delete_file', { path: '/etc/hosts' }]],
  read_table: [
    ['read_table', {}],
    ['write_table', {}],
    ['read_table', {}],
  ],
  ask_weather_desk: [['ask_weather_desk', { input: 'Weather in Paris and Rome?' }]],
};

/** How its answers begin and go on; other ones are that it is fine. */
const answers: readonly { readonly to: RegExp; readonly pieces: readonly string[] }[] = [
  { to: /in degrees/, pieces: ['It is fine, ', '21 degrees.'] },
  { to: /Transfer/, pieces: ['Ada does not have ', 'so much money.'] },
];

/**
 * Stands in for the network: a model that calls each tool that it is offered, one after the other, and then answers, and a
 * weather service.
 */
export const fakeFetch: typeof fetch = (input, init) => {
  const url = input instanceof Request ? input.url : input.toString();
  if (url.includes('wttr.in')) return Promise.resolve(new Response(url.includes('Paris') ? 'Paris: +21°C' : 'Rome: +28°C'));
  const request = JSON.parse(init?.body as string) as Body;
  const next = nextCalls(request);
  const deltas = next ? next.map(toolCall) : textOf(request).map((content) => ({ content }));
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ delta }] })),
    { choices: [{ delta: {}, finish_reason: next ? 'tool_calls' : 'stop' }] },
    { choices: [], usage: { total_tokens: 42 } },
  ];
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return Promise.resolve(new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } }));
};

/** Those of the first tool that it has not called since the user spoke. */
function nextCalls({ messages, tools = [], tool_choice }: Body): readonly Call[] | undefined {
  if (tool_choice === 'none') return undefined;
  const answered = messages.slice(messages.findLastIndex(({ role }) => role === 'user'));
  const called = answered.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
  const name = tools.map((tool) => tool.function.name).find((offered) => !called.includes(offered));
  return name === undefined ? undefined : (calls[name] ?? [[name, {}]]);
}

function toolCall([name, args]: Call, index: number): object {
  return { tool_calls: [{ index, id: `call_${name}_${index}`, function: { name, arguments: JSON.stringify(args) } }] };
}

function textOf({ messages, response_format }: Body): readonly string[] {
  const { name, schema = {} } = response_format?.json_schema ?? {};
  // Of the tools in question the first one helps.
  if (name === 'probabilities') {
    const likely = schema.required!.map((id, place) => [id, place === 0 ? 0.9 : 0.1]);
    return [JSON.stringify(Object.fromEntries(likely))];
  }
  if (name) return ['{"city":"Paris",', '"celsius":21}'];
  const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  return answers.find(({ to }) => to.test(asked))?.pieces ?? ['It is ', 'fine.'];
}
