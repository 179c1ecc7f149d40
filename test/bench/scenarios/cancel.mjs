import { setTimeout as sleep } from 'node:timers/promises';
import { urlOf } from '../invocations.mjs';
import { median } from '../statistics.mjs';
import { script } from '../wire/script.mjs';
import { workTool } from '../work-tool.mjs';

const endless = { tokens: 1_000, framesPerChunk: 1, delay: 2 };
let runs = 0;

/** The URL of a script whose requests the server remembers, and how many chunks it sent for each. */
function remembered(origin, what) {
  const id = `${process.pid}-${runs++}`;
  const sent = async () => (await (await fetch(`${origin}/requests/${id}`)).json()).map((request) => request.sent);
  return { baseUrl: urlOf(origin, script({ ...what, id })), sent };
}

/** How long it takes from now until what was asked has ended: most end with an error, one without an answer. */
async function ending(asked) {
  const start = performance.now();
  const ended = await Promise.race([asked.then(Boolean, () => false), sleep(3_000, 'never')]);
  if (ended === true) throw new Error('An invocation that was aborted gave an answer.');
  return ended === 'never' ? Infinity : performance.now() - start;
}

/** An abort after 50 tokens. */
async function abortOfText(make, origin) {
  const { baseUrl, sent } = remembered(origin, endless);
  const ask = make({ baseUrl, tools: [] });
  const abort = new AbortController();
  let seen = 0;
  let late = 0;
  let reached;
  const isThere = new Promise((resolve) => (reached = resolve));
  const asked = ask(
    (piece) => {
      if (abort.signal.aborted) late++;
      if (piece && ++seen === 50) reached();
    },
    { signal: abort.signal },
  );
  asked.catch(() => {});
  await isThere;
  abort.abort();
  const text = await ending(asked);
  await sleep(200);
  return { text, late, read: Math.max(0, (await sent())[0] - seen - 1) };
}

/** A consumer that leaves after 50 tokens, as its library offers it, and aborts nothing. */
async function leaving(make, origin) {
  const { baseUrl, sent } = remembered(origin, endless);
  const ask = make({ baseUrl, tools: [] });
  let seen = 0;
  let left;
  const hasLeft = new Promise((resolve) => (left = resolve));
  ask((piece) => {
    if (!piece || ++seen < 50) return undefined;
    left();
    return false;
  }).catch(() => {});
  await hasLeft;
  await sleep(500);
  return Math.max(0, (await sent())[0] - seen - 1);
}

/** An abort while a tool of 300 ms runs that knows nothing of it. */
async function abortOfTool(make, origin) {
  const { baseUrl, sent } = remembered(origin, { rounds: 1 });
  const abort = new AbortController();
  let start;
  const isRunning = new Promise((resolve) => (start = resolve));
  const asked = make({ baseUrl, tools: [workTool(300, start)] })(() => {}, { signal: abort.signal });
  asked.catch(() => {});
  await isRunning;
  await sleep(20);
  abort.abort();
  const tool = await ending(asked);
  await sleep(350);
  return { tool, asked: (await sent()).length - 1 };
}

/** Letting go: when the caller is free, and whether the connection is, too. */
export const cancel = {
  samples: 3,
  rows: [
    { key: 'text', title: 'an abort releases the caller, the model still streaming', unit: 'ms', budget: 2, isAbsolute: true },
    { key: 'read', title: '… and so many of 950 tokens are sent all the same', unit: '', isAbsolute: true },
    { key: 'late', title: '… or given to the caller', unit: '', budget: 0, isAbsolute: true },
    { key: 'tool', title: 'an abort releases the caller, a tool still running', unit: 'ms', budget: 2, isAbsolute: true },
    { key: 'asked', title: '… and so many requests follow', unit: '', budget: 0, isAbsolute: true },
    {
      key: 'left',
      title: 'tokens sent in 0.5 s to a consumer that has left',
      unit: '',
      budget: 2,
      isAbsolute: true,
    },
  ],
  begin:
    (make, { origin }) =>
    async () => {
      const texts = [];
      for (let time = 0; time < 3; time++) texts.push(await abortOfText(make, origin));
      const middle = (key) => median(texts.map((text) => text[key]));
      return {
        ...{ text: middle('text'), read: middle('read'), late: middle('late') },
        ...(await abortOfTool(make, origin)),
        left: await leaving(make, origin),
      };
    },
};
