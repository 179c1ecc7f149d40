import { setTimeout as sleep } from 'node:timers/promises';
import { nowhere } from '../invocations.mjs';
import { median } from '../statistics.mjs';
import { callFrames, frame } from '../wire/frames.mjs';
import { streamed } from '../wire/in-process-fetch.mjs';
import { script } from '../wire/script.mjs';
import { workTool } from '../work-tool.mjs';

/** A model that has written call 0 whole and begun call 1, and takes 60 ms for the rest. Tells when call 0 went out. */
function slowWire() {
  const what = script({ rounds: 1, calls: 2, fragments: 6 });
  const encoder = new TextEncoder();
  const [first, second] = [callFrames(0, 0, what), callFrames(0, 1, what)];
  const sent = { first: 0 };
  const fetch = async (_, { body }) => {
    const isLast = body.includes('"role":"tool"');
    const pieces = isLast
      ? [
          frame({ role: 'assistant', content: '' }, null, 1),
          frame({ content: 'done' }, null, 1),
          frame({}, 'stop', 1),
          'data: [DONE]\n\n',
        ]
      : [
          [frame({ role: 'assistant', content: null }), ...first, second[0]].join(''),
          ...second.slice(1),
          `${frame({}, 'tool_calls')}data: [DONE]\n\n`,
        ];
    return streamed({
      async start(controller) {
        for (const [place, piece] of pieces.entries()) {
          if (place === 0 && !isLast) sent.first = performance.now();
          controller.enqueue(encoder.encode(piece));
          if (!isLast) await sleep(10);
        }
        controller.close();
      },
    });
  };
  return { fetch, sent };
}

/** When a tool starts, measured from the moment when the last byte of its call went out, while the model goes on. */
async function startsOf(make) {
  const { fetch, sent } = slowWire();
  const starts = [];
  const ask = make({ baseUrl: nowhere, fetch, tools: [workTool(0, (i) => (starts[i] = performance.now()))] });
  let text = '';
  await ask((piece) => {
    text += piece;
  });
  if (text !== 'done' || starts.length !== 2) throw new Error(`The answer is wrong: "${text}" after ${starts.length} calls.`);
  return starts.map((start) => start - sent.first);
}

/** Starting while the model streams. Absolute times: the floor is only there to compare. */
export const eager = {
  samples: 3,
  rows: [
    { key: 'first', title: 'a tool starts after its call is complete', unit: 'ms', budget: 2, isAbsolute: true },
    { key: 'last', title: '… and the last one, whose call the model took 60 ms to write', unit: 'ms' },
  ],
  begin: (make) => async () => {
    const starts = [];
    for (let time = 0; time < 7; time++) starts.push(await startsOf(make));
    return { first: median(starts.map(([first]) => first)), last: median(starts.map(([, last]) => last)) };
  },
};
