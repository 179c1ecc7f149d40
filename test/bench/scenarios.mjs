// The scenarios: what is run, what is measured of it, and the budget. Each is run by a process that holds one subject
// (floor or ours) and returns numbers by the keys of its rows.
import { setTimeout as sleep } from 'node:timers/promises';
import { finalize } from 'rxjs';
import { median } from './statistics.mjs';
import { answer, callFrames, frame, inProcessFetch, script, streamed } from './wire.mjs';

const jsonSchema = { type: 'object', properties: { i: { type: 'integer' }, pad: { type: 'string' } }, required: ['i', 'pad'] };

/** The one tool that all scripts call. `duration` in ms. */
function workTool(duration, onStart = () => {}) {
  const execute = async ({ i, pad }) => {
    if (!Number.isInteger(i) || typeof pad !== 'string') throw new Error('The arguments are wrong.');
    onStart(i);
    if (duration) await sleep(duration);
    return `result ${i}`;
  };
  return { name: 'work', description: 'Does some work', jsonSchema, execute };
}

/** Runs one invocation of a script over and over, and checks that it did all its work. */
function invocations(make, what, { origin, duration = 0 } = {}) {
  let calls = 0;
  const tools = what.rounds ? [workTool(duration, () => calls++)] : [];
  const wire = origin
    ? { baseUrl: `${origin}/${encodeURIComponent(JSON.stringify(what))}` }
    : { baseUrl: 'http://bench.test/v1', fetch: inProcessFetch(what) };
  const { ask } = make({ ...wire, tools });
  const expected = answer(what);
  const once = async () => {
    let text = '';
    await ask((piece) => {
      text += piece;
    });
    if (text !== expected) throw new Error(`The answer is wrong: ${text.length} characters instead of ${expected.length}.`);
  };
  const run = async (times = 1) => {
    for (let time = 0; time < times; time++) await once();
  };
  return { run, once, calls: () => calls };
}

/** Wall and CPU time of work, in ms. CPU counts all threads of the process, the garbage collector's too. */
async function measured(work) {
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { wall, cpu: (user + system) / 1000 };
}

/** CPU time of one unit of an invocation, in us; an invocation has `units` of them. Warm: the first runs don't count. */
function cpuPerUnit(what, units, times, warmUps) {
  return (make, context) => {
    const { run } = invocations(make, what, context);
    let isWarm = false;
    return async () => {
      if (!isWarm) await run(warmUps);
      isWarm = true;
      return ((await measured(() => run(times))).cpu * 1000) / (units * times);
    };
  };
}

/** Several measurements of one scenario, by the keys of its rows. */
const together = (parts) => (make, context) => {
  const begun = Object.entries(parts).map(([key, part]) => [key, part(make, context)]);
  return async () => {
    const numbers = {};
    for (const [key, sample] of begun) numbers[key] = await sample();
    return numbers;
  };
};

const inProcess = (part) => (make) => part(make, {});

/** Per streamed token, from the bytes of an injected fetch to the subscriber. */
const tokens = {
  samples: 9,
  rows: [
    { key: 'many', title: 'CPU per token, 64 frames a chunk', unit: 'us', budget: 1.25 },
    { key: 'one', title: 'CPU per token, 1 frame a chunk', unit: 'us', budget: 1.25 },
  ],
  begin: together({
    many: cpuPerUnit(script({ tokens: 7_000, framesPerChunk: 64 }), 7_000, 8, 30),
    one: cpuPerUnit(script({ tokens: 7_000, framesPerChunk: 1 }), 7_000, 5, 10),
  }),
};

/** Per streamed piece of one call's arguments; a piece must not cost more the longer the arguments are. */
const fragments = {
  samples: 9,
  rows: [
    { key: 'short', title: 'CPU per fragment, 20 KB in 1,000', unit: 'us', budget: 1.5 },
    { key: 'long', title: 'CPU per fragment, 100 KB in 5,000', unit: 'us', budget: 1.5 },
    {
      key: 'growth',
      title: 'a fragment of 5,000 costs as much as how many of 1,000',
      unit: 'x',
      of: ({ long, short }) => long / short,
    },
  ],
  begin: together({
    short: cpuPerUnit(script({ rounds: 1, argumentLength: 20_000, fragments: 1_000 }), 1_000, 30, 100),
    long: cpuPerUnit(script({ rounds: 1, argumentLength: 100_000, fragments: 5_000 }), 5_000, 6, 10),
  }),
};

/** Per round of one tool call, over HTTP as in life; what a round costs of its own shows without it. */
const loop = (rounds) => script({ rounds, tokens: 5 });
const rounds = {
  samples: 7,
  needsServer: true,
  rows: [
    { key: 'ten', title: 'CPU per round of 10, HTTP', unit: 'us', budget: 1.15 },
    { key: 'fifty', title: 'CPU per round of 50, HTTP', unit: 'us', budget: 1.15 },
    { key: 'twoHundred', title: 'CPU per round of 200, HTTP', unit: 'us', budget: 1.15 },
    { key: 'bare', title: 'CPU per round of 50, no HTTP', unit: 'us' },
    {
      key: 'growth',
      title: '200 rounds cost as much as how many times 10, no HTTP',
      unit: 'x',
      budget: 22,
      isAbsolute: true,
      of: ({ bareLong, bareShort }) => (201 * bareLong) / (11 * bareShort),
    },
  ],
  begin: together({
    ten: cpuPerUnit(loop(10), 11, 18, 300),
    fifty: cpuPerUnit(loop(50), 51, 4, 10),
    twoHundred: cpuPerUnit(loop(200), 201, 1, 2),
    bare: inProcess(cpuPerUnit(loop(50), 51, 20, 40)),
    bareShort: inProcess(cpuPerUnit(loop(10), 11, 80, 100)),
    bareLong: inProcess(cpuPerUnit(loop(200), 201, 4, 10)),
  }),
};

/** Many tools at once whose arguments stream in small pieces. */
const parallel = {
  samples: 9,
  needsServer: true,
  rows: [
    { key: 'wall', title: '64 parallel tools of 20 ms, wall', unit: 'ms', budget: 1.25 },
    { key: 'cpu', title: '64 parallel tools of 20 ms, CPU', unit: 'ms', budget: 1.25 },
  ],
  begin(make, { origin }) {
    const { run } = invocations(make, script({ rounds: 1, calls: 64, argumentLength: 200, fragments: 20, tokens: 20 }), {
      origin,
      duration: 20,
    });
    let isWarm = false;
    return async () => {
      if (!isWarm) await run(60);
      isWarm = true;
      const runs = [];
      for (let time = 0; time < 7; time++) runs.push(await measured(run));
      return { wall: median(runs.map(({ wall }) => wall)), cpu: median(runs.map(({ cpu }) => cpu)) };
    };
  },
};

/** A model that has written call 0 whole and begun call 1, and takes 60 ms for the rest. Tells when each chunk went out. */
function slowWire() {
  const what = script({ rounds: 1, calls: 2, fragments: 6 });
  const encoder = new TextEncoder();
  const [first, second] = [callFrames(0, 0, what), callFrames(0, 1, what)];
  const sent = { first: 0, cancelled: 0 };
  const fetch = async (_, { body }) => {
    const isLast = body.includes('"role":"tool"');
    const pieces = isLast
      ? [frame({ content: 'done' }, 'stop')]
      : [[...first, second[0]].join(''), ...second.slice(1), frame({}, 'tool_calls')];
    return streamed({
      async start(controller) {
        for (const [place, piece] of pieces.entries()) {
          if (place === 0 && !isLast) sent.first = performance.now();
          if (!sent.cancelled) controller.enqueue(encoder.encode(piece));
          if (!isLast) await sleep(10);
        }
        if (!sent.cancelled) controller.close();
      },
      cancel: () => {
        sent.cancelled = performance.now();
      },
    });
  };
  return { fetch, sent };
}

/** When a tool starts, measured from the moment when the last byte of its call went out, while the model goes on. */
async function startOfFirst(make) {
  const { fetch, sent } = slowWire();
  const starts = [];
  const { ask } = make({ baseUrl: 'http://bench.test/v1', fetch, tools: [workTool(0, () => starts.push(performance.now()))] });
  await ask(() => {});
  return { first: starts[0] - sent.first, second: starts[1] - sent.first };
}

/** How long an unsubscribe takes to release its subscriber and the connection while a tool runs that ignores its signal. */
async function release({ service, sent }, isRunning) {
  let released;
  const subscription = service
    .stream('go')
    .pipe(finalize(() => (released = performance.now())))
    .subscribe();
  await isRunning;
  const start = performance.now();
  subscription.unsubscribe();
  const returned = performance.now();
  await sleep(1);
  return { subscriber: Math.max(released, returned) - start, connection: sent.cancelled ? sent.cancelled - start : Infinity };
}

async function releases(make) {
  const { fetch, sent } = slowWire();
  let start;
  const isRunning = new Promise((resolve) => (start = resolve));
  const { service } = make({ baseUrl: 'http://bench.test/v1', fetch, tools: [workTool(100, start)] });
  return service ? release({ service, sent }, isRunning) : { subscriber: NaN, connection: NaN };
}

/** Starting while the model streams, and letting go at once. Absolute times: the floor is only there to compare. */
const latency = {
  samples: 3,
  rows: [
    { key: 'start', title: 'a tool starts after its call is complete', unit: 'ms', budget: 2, isAbsolute: true },
    { key: 'end', title: '… and the last one, whose call the model took 60 ms to write', unit: 'ms' },
    {
      key: 'subscriber',
      title: 'an unsubscribe releases its subscriber, a tool still running',
      unit: 'ms',
      budget: 2,
      isAbsolute: true,
    },
    { key: 'connection', title: '… and the connection', unit: 'ms', budget: 2, isAbsolute: true },
  ],
  begin: (make) => async () => {
    const starts = [];
    const ends = [];
    for (let time = 0; time < 7; time++) {
      starts.push(await startOfFirst(make));
      ends.push(await releases(make));
    }
    return {
      start: median(starts.map(({ first }) => first)),
      end: median(starts.map(({ second }) => second)),
      subscriber: median(ends.map(({ subscriber }) => subscriber)),
      connection: median(ends.map(({ connection }) => connection)),
    };
  },
};

/** 500 invocations at once: two tool calls, then 100 tokens at 10 ms each. A new process each time, warmed by five of them. */
const concurrent = {
  samples: 3,
  needsServer: true,
  needsNewProcess: true,
  rows: [
    { key: 'cpu', title: '500 invocations at once, CPU of one', unit: 'ms', budget: 1.15 },
    { key: 'rss', title: '500 invocations at once, peak memory (RSS)', unit: 'MB', budget: 1.15 },
    { key: 'heap', title: '500 invocations at once, peak heap', unit: 'MB', budget: 1.15 },
    { key: 'wall', title: '500 invocations at once, wall', unit: 'ms' },
  ],
  begin:
    (make, { origin }) =>
    async () => {
      const what = script({ rounds: 1, calls: 2, fragments: 4, argumentLength: 40, tokens: 100, framesPerChunk: 1, delay: 10 });
      const { once } = invocations(make, what, { origin, duration: 5 });
      await Promise.all(Array.from({ length: 5 }, once));
      gc();
      const peak = { rss: 0, heapUsed: 0 };
      const look = setInterval(() => {
        const now = process.memoryUsage();
        for (const key of Object.keys(peak)) peak[key] = Math.max(peak[key], now[key] / 1e6);
      }, 20);
      const { wall, cpu } = await measured(() => Promise.all(Array.from({ length: 500 }, once)));
      clearInterval(look);
      return { cpu: cpu / 500, wall, rss: peak.rss, heap: peak.heapUsed };
    },
};

async function settledHeap() {
  for (let time = 0; time < 4; time++) {
    gc();
    await sleep(20);
  }
  return process.memoryUsage().heapUsed;
}

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

/** What 10,000 invocations with one tool call leave behind, after 4,000 that warm up. */
const heap = {
  samples: 1,
  needsNewProcess: true,
  rows: [
    { key: 'kept', title: 'heap kept of each of 10,000 invocations', unit: 'B', budget: 32, isAbsolute: true },
    { key: 'timers', title: 'timers left behind', unit: '', budget: 0, isAbsolute: true },
  ],
  begin: (make) => async () => {
    const { run } = invocations(make, script({ rounds: 1, tokens: 20 }));
    await run(4_000);
    const before = await settledHeap();
    const timersBefore = timers();
    await run(10_000);
    // The last answer's body is read to its end.
    await sleep(10);
    const left = timers() - timersBefore;
    return { kept: Math.max(0, (await settledHeap()) - before) / 10_000, timers: left };
  },
};

export const scenarios = { tokens, fragments, rounds, parallel, latency, concurrent, heap };
