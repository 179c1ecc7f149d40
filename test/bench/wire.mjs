// The model of all scenarios: a script says what it does, and this file writes it as a chat-completions stream.

/** `rounds` rounds of `calls` tool calls each, then an answer of `tokens` tokens. `delay`: ms between two chunks over HTTP. */
export const script = (what) => ({
  rounds: 0,
  calls: 1,
  tokens: 0,
  argumentLength: 20,
  fragments: 1,
  framesPerChunk: 16,
  delay: 0,
  ...what,
});

export const word = ' token';
export const answer = ({ rounds, calls, tokens }) => word.repeat(tokens) + (rounds ? ` results=${rounds * calls}` : '');

const head =
  '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1750000000,"model":"bench","system_fingerprint":"fp_1",';
const usage = `data: ${head}"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}\n\n`;
export const frame = (delta, finish = null) =>
  `data: ${head}"choices":[{"index":0,"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}]}\n\n`;

/** Like code or a letter: with quotes and line breaks, that are escaped twice on the wire. */
const prose = 'He said "no", and that was it.\n';
const argumentsOf = (i, length) => JSON.stringify({ i, pad: prose.repeat(Math.ceil(length / prose.length)).slice(0, length) });

/** One call: its opening, then its arguments in `fragments` pieces. */
export function callFrames(round, index, { argumentLength, fragments }) {
  const text = argumentsOf(round * 1000 + index, argumentLength);
  const opening = frame({
    tool_calls: [{ index, id: `call_${round}_${index}`, type: 'function', function: { name: 'work', arguments: '' } }],
  });
  const cut = (part) => Math.floor((part * text.length) / fragments);
  const pieces = Array.from({ length: fragments }, (_, part) =>
    frame({ tool_calls: [{ index, function: { arguments: text.slice(cut(part), cut(part + 1)) } }] }),
  );
  return [opening, ...pieces];
}

function framesOf(what, round) {
  if (round >= what.rounds) {
    const text = Array.from({ length: what.tokens }, () => frame({ content: word }));
    const sum = what.rounds ? [frame({ content: ` results=${what.rounds * what.calls}` })] : [];
    return [frame({ role: 'assistant', content: '' }), ...text, ...sum, frame({}, 'stop')];
  }
  const calls = Array.from({ length: what.calls }, (_, index) => callFrames(round, index, what));
  return [frame({ role: 'assistant', content: null }), ...calls.flat(), frame({}, 'tool_calls')];
}

/** The bytes of one answer, chunk by chunk. */
export function chunksOf(what, round) {
  const frames = [...framesOf(what, round), usage, 'data: [DONE]\n\n'];
  const encoder = new TextEncoder();
  const chunks = [];
  for (let at = 0; at < frames.length; at += what.framesPerChunk)
    chunks.push(encoder.encode(frames.slice(at, at + what.framesPerChunk).join('')));
  return chunks;
}

export const streamed = (source) =>
  new Response(new ReadableStream(source), { headers: { 'content-type': 'text/event-stream' } });

/** A fetch without sockets, for invocations that run one after the other: it gives the answers of the script in turn. */
export function inProcessFetch(what) {
  const answers = Array.from({ length: what.rounds + 1 }, (_, round) => chunksOf(what, round));
  let requests = 0;
  return async () => {
    const chunks = answers[requests++ % answers.length];
    let next = 0;
    return streamed({ pull: (controller) => (next < chunks.length ? controller.enqueue(chunks[next++]) : controller.close()) });
  };
}
