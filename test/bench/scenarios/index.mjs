// All scenarios, in the order of the table. Each says what is run, what is measured, and the budget.
import { bundle } from './bundle.mjs';
import { cancel } from './cancel.mjs';
import { concurrent } from './concurrent.mjs';
import { correct } from './correct.mjs';
import { eager } from './eager.mjs';
import { firstToken } from './first-token.mjs';
import { fragments } from './fragments.mjs';
import { heap } from './heap.mjs';
import { imports } from './imports.mjs';
import { install } from './install.mjs';
import { parallel } from './parallel.mjs';
import { rounds } from './rounds.mjs';
import { tokens } from './tokens.mjs';

/**
 * - `rows`: what becomes of the numbers of a sample. `of` computes a number, else it is that of the `key`. A budget holds for the ratio to
 *   the floor, or with `isAbsolute` for our own number. `hasRatio: false`: a number to compare, but not by a ratio. `isCompared: false`:
 *   to know, not to win.
 * - `begin(make, context)`: in the process of a subject; returns a function that takes a sample. Or `sampleOf(name, context)`, here.
 * - `samples`, and `seconds` (8): how often each subject has its turn, and after how much time a peer has no further one.
 * - `needsNewProcess`: for each sample. `throwsFirstAway`: one sample before those that count. `atOnce`: how many subjects run at once.
 */
export const scenarios = {
  correct,
  tokens,
  fragments,
  rounds,
  parallel,
  firstToken,
  eager,
  cancel,
  concurrent,
  heap,
  imports,
  bundle,
  install,
};
