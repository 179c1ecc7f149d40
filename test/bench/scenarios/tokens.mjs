import { cpuPerUnit, inProcess, perUnit, together } from '../measure.mjs';
import { script } from '../wire/script.mjs';

const overHttp = perUnit(script({ tokens: 20_000 }), 20_000, 3, 10);

/** Per streamed token, to the subscriber: from the bytes of an injected fetch, and from a socket. */
export const tokens = {
  samples: 9,
  rows: [
    { key: 'many', title: 'CPU per token, 64 frames a chunk', unit: 'us', budget: 1.25 },
    { key: 'one', title: 'CPU per token, 1 frame a chunk', unit: 'us', budget: 1.25 },
    { key: 'http', title: 'CPU per token, HTTP', unit: 'us', budget: 1.25, of: ({ http }) => http.cpu },
    { key: 'wall', title: 'time per token, HTTP', unit: 'us', of: ({ http }) => http.wall },
  ],
  begin: together({
    many: inProcess(cpuPerUnit(script({ tokens: 7_000, framesPerChunk: 64 }), 7_000, 8, 30)),
    one: inProcess(cpuPerUnit(script({ tokens: 7_000, framesPerChunk: 1 }), 7_000, 5, 10)),
    http: overHttp,
  }),
};
