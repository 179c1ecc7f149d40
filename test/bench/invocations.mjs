// Runs invocations of a script, and checks each: its text must be the right one, to the letter.
import { inProcessFetch, readingFetch } from './wire/in-process-fetch.mjs';
import { answer } from './wire/script.mjs';
import { workTool } from './work-tool.mjs';

export const urlOf = (origin, what) => `${origin}/${encodeURIComponent(JSON.stringify(what))}`;
export const nowhere = 'http://bench.test/v1';

/** A function that runs one invocation over a wire: `{ baseUrl, fetch }`. It fails when the answer is wrong. */
export function checked(make, what, wire, duration) {
  const ask = make({ ...wire, tools: what.rounds ? [workTool(duration)] : [] });
  const expected = answer(what);
  return async () => {
    let text = '';
    await ask((piece) => {
      text += piece;
    });
    if (text !== expected)
      throw new Error(
        `The answer is wrong: ${text.length} characters instead of ${expected.length}, at the end "${text.slice(-20)}".`,
      );
  };
}

/**
 * One invocation after the other. With an `origin` over HTTP, where the server reads each request. In process only the first is
 * read, because reading costs: the others find the answers ready.
 */
export function invocations(make, what, { origin, duration } = {}) {
  if (origin) return checked(make, what, { baseUrl: urlOf(origin, what) }, duration);
  const first = checked(make, what, { baseUrl: nowhere, fetch: readingFetch(what) }, duration);
  const others = checked(make, what, { baseUrl: nowhere, fetch: inProcessFetch(what) }, duration);
  let isFirst = true;
  return async () => {
    if (isFirst) await first();
    isFirst = false;
    await others();
  };
}
