import { checked, nowhere } from '../invocations.mjs';
import { readingFetch } from '../wire/in-process-fetch.mjs';
import { script } from '../wire/script.mjs';

/** Answers that come at once, to many who ask at once: nobody's text may get lost. No measure of time. */
export const correct = {
  samples: 1,
  needsNewProcess: true,
  rows: [{ key: 'wrong', title: 'wrong answers of 100, 50 at once, no HTTP', unit: '', budget: 0, isAbsolute: true }],
  begin: (make) => async () => {
    const what = script({ rounds: 2, calls: 3, tokens: 20, argumentLength: 50, fragments: 4 });
    const once = checked(make, what, { baseUrl: nowhere, fetch: readingFetch(what) });
    let wrong = 0;
    const one = () => once().catch(() => wrong++);
    for (let time = 0; time < 2; time++) await Promise.all(Array.from({ length: 50 }, one));
    return { wrong };
  },
};
