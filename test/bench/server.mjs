// The same model behind HTTP, in a process of its own so that its work is not counted. The path is the script; the
// request's messages say which round it is. Tells its port over IPC.
import { createServer } from 'node:http';
import { chunksOf } from './wire.mjs';

const count = (text, part) => text.split(part).length - 1;

const prepared = new Map();
function prepare(path, round) {
  const key = `${round} ${path}`;
  if (!prepared.has(key)) {
    const what = JSON.parse(decodeURIComponent(path));
    prepared.set(key, { what, chunks: chunksOf(what, round) });
  }
  return prepared.get(key);
}

// One timer for all answers that come slowly: 500 timers would cost more than what they do.
const slow = new Set();
let ticking;
function writeSlowly(step, delay) {
  slow.add(step);
  ticking ??= setInterval(() => {
    for (const next of slow) if (!next()) slow.delete(next);
    if (slow.size === 0) ticking = clearInterval(ticking);
  }, delay);
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { what, chunks } = prepare(request.url.split('/')[1], count(body, '"role":"assistant"'));
  // A result that is missing would make the work less.
  const isValid = count(body, '"role":"tool"') === count(body, '"role":"assistant"') * what.calls;
  response.writeHead(isValid ? 200 : 400, { 'content-type': 'text/event-stream' });
  if (!isValid) return response.end();
  let next = 0;
  const step = () => {
    if (response.destroyed) return false;
    response.write(chunks[next++]);
    if (next === chunks.length) response.end();
    return next < chunks.length;
  };
  if (what.delay) writeSlowly(step, what.delay);
  else while (step());
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 4096, () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
