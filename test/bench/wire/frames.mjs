// Writes a script as a chat-completions stream.
import { conclusion, numberOf, word } from './script.mjs';

const model = '"object":"chat.completion.chunk","created":1750000000,"model":"bench","system_fingerprint":"fp_1",';
/** Each answer has an id of its own: some take two messages with one id for one. */
const head = (round) => `{"id":"chatcmpl-${round + 1}",${model}`;

export const frame = (delta, finish = null, round = 0) =>
  `data: ${head(round)}"choices":[{"index":0,"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
const usage = (round) =>
  `data: ${head(round)}"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}\n\n`;

/** Like code or a letter: with quotes and line breaks, that are escaped twice on the wire. */
const prose = 'He said "no", and that was it.\n';
const argumentsOf = (i, length) => JSON.stringify({ i, pad: prose.repeat(Math.ceil(length / prose.length)).slice(0, length) });

/** One call: its opening, then its arguments in pieces. */
export function callFrames(round, index, { argumentLength, fragments }) {
  const text = argumentsOf(numberOf(round, index), argumentLength);
  const id = `call_${round}_${index}`;
  const opening = { tool_calls: [{ index, id, type: 'function', function: { name: 'work', arguments: '' } }] };
  const cut = (part) => Math.floor((part * text.length) / fragments);
  const pieces = Array.from({ length: fragments }, (_, part) => ({
    tool_calls: [{ index, function: { arguments: text.slice(cut(part), cut(part + 1)) } }],
  }));
  return [opening, ...pieces].map((delta) => frame(delta, null, round));
}

function framesOf(what, round, sum) {
  if (round >= what.rounds) {
    const last = conclusion(what, sum);
    const token = frame({ content: word }, null, round);
    return [
      frame({ role: 'assistant', content: '' }, null, round),
      ...Array.from({ length: what.tokens }, () => token),
      ...(last ? [frame({ content: last }, null, round)] : []),
      frame({}, 'stop', round),
    ];
  }
  const calls = Array.from({ length: what.calls }, (_, index) => callFrames(round, index, what));
  return [frame({ role: 'assistant', content: null }, null, round), ...calls.flat(), frame({}, 'tool_calls', round)];
}

/** The bytes of one answer, chunk by chunk. `sum`: what the results of the tools came to. */
export function chunksOf(what, round, sum) {
  const frames = [...framesOf(what, round, sum), usage(round), 'data: [DONE]\n\n'];
  const encoder = new TextEncoder();
  const chunks = [];
  for (let at = 0; at < frames.length; at += what.framesPerChunk)
    chunks.push(encoder.encode(frames.slice(at, at + what.framesPerChunk).join('')));
  return chunks;
}
