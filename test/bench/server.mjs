// The same model behind HTTP, in a process of its own so that its work is not counted. The path is the script; the request's
// messages say which round it is. A request that is wrong is answered with 400. Tells its port over IPC.
import { createServer } from 'node:http';
import { chunksOf } from './wire/frames.mjs';
import { readRequest } from './wire/read-request.mjs';

const prepared = new Map();
function prepare(what, path, round, sum) {
  const key = `${round} ${sum} ${path}`;
  if (!prepared.has(key)) prepared.set(key, chunksOf(what, round, sum));
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

/** What became of the requests of a script that has an id: how many chunks went out for each. */
const remembered = new Map();
function remember(id) {
  const request = { sent: 0 };
  if (id === undefined) return request;
  if (!remembered.has(id)) remembered.set(id, []);
  remembered.get(id).push(request);
  return request;
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const [, path, id] = request.url.split('/');
  if (path === 'requests') return response.end(JSON.stringify(remembered.get(id) ?? []));
  const what = JSON.parse(decodeURIComponent(path));
  const record = remember(what.id);
  const { round, sum, wrong } = readRequest(body, what);
  response.writeHead(wrong ? 400 : 200, { 'content-type': wrong ? 'application/json' : 'text/event-stream' });
  if (wrong) return response.end(JSON.stringify({ error: { message: wrong } }));
  const chunks = prepare(what, path, round, sum);
  const step = () => {
    if (response.destroyed) return false;
    response.write(chunks[record.sent++]);
    if (record.sent === chunks.length) response.end();
    return record.sent < chunks.length;
  };
  if (what.delay) writeSlowly(step, what.delay);
  else while (step());
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 4096, () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
