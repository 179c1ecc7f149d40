import { wireName } from '../wire-name.ts';

/** How long the API takes an id. Gateways send longer ones, and would refuse them when they come back. */
const shortEnough = /^[^]{1,64}$/;

/** The id of a call as the API takes it, in the call and in its result. */
export function callId(id: string): string {
  return wireName(id, shortEnough);
}

/** Whether the API takes this as the id of an item that begins so. */
export function isItemId(id: unknown, beginning = ''): id is string {
  return typeof id === 'string' && id.startsWith(beginning) && shortEnough.test(id);
}
