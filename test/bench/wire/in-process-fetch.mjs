// The model without sockets: the same bytes from a stream in the process of the subject.
import { chunksOf } from './frames.mjs';
import { readRequest } from './read-request.mjs';
import { sumOf } from './script.mjs';

export const streamed = (source) =>
  new Response(new ReadableStream(source), { headers: { 'content-type': 'text/event-stream' } });

function served(chunks) {
  let next = 0;
  return streamed({ pull: (controller) => (next < chunks.length ? controller.enqueue(chunks[next++]) : controller.close()) });
}

/** For invocations that run one after the other: it gives the answers of the script in turn, and does no work of its own. */
export function inProcessFetch(what) {
  const answers = Array.from({ length: what.rounds + 1 }, (_, round) => chunksOf(what, round, sumOf(what)));
  let requests = 0;
  return async () => served(answers[requests++ % answers.length]);
}

/** Reads each request, as the server does: for checks, and for invocations that run at once. */
export function readingFetch(what) {
  return async (_, { body }) => {
    const { round, sum, wrong } = readRequest(body, what);
    return wrong ? Response.json({ error: { message: wrong } }, { status: 400 }) : served(chunksOf(what, round, sum));
  };
}
