interface Body {
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const written: Readonly<Record<string, readonly object[]>> = {
  get_weather: [{ city: 'Paris' }, { city: 'Rome' }],
  get_order: [{ id: '17' }],
};

/** Stands in for the network: a model that calls the first tool it is offered and then answers, and a weather service. */
export const fakeFetch: typeof fetch = (input, init) => {
  const url = input instanceof Request ? input.url : input.toString();
  if (url.includes('wttr.in')) return Promise.resolve(new Response(url.includes('Paris') ? 'Paris: +21°C' : 'Rome: +28°C'));
  const { messages, tools } = JSON.parse(init?.body as string) as Body;
  const name = tools?.[0]?.function.name;
  const deltas = name && messages.at(-1)?.role === 'user' ? callsOf(name) : ['It is ', 'fine.'].map((content) => ({ content }));
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ delta }] })),
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { total_tokens: 42 } },
  ];
  const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  return Promise.resolve(new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } }));
};

function callsOf(name: string): object[] {
  return (written[name] ?? [{}]).map((args, index) => ({
    tool_calls: [{ index, id: `call_${index}`, function: { name, arguments: JSON.stringify(args) } }],
  }));
}
