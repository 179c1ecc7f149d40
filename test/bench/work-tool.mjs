// The one tool that all scripts call.
import { setTimeout as sleep } from 'node:timers/promises';
import { resultOf } from './wire/script.mjs';

const jsonSchema = { type: 'object', properties: { i: { type: 'integer' }, pad: { type: 'string' } }, required: ['i', 'pad'] };

/** `duration` in ms. It knows no signal: it goes on when it is cancelled. */
export function workTool(duration = 0, onStart = () => {}) {
  const execute = async ({ i, pad }) => {
    if (!Number.isInteger(i) || typeof pad !== 'string') throw new Error('The arguments are wrong.');
    onStart(i);
    if (duration) await sleep(duration);
    return `result ${resultOf(i)}`;
  };
  return { name: 'work', description: 'Does some work', jsonSchema, execute };
}
