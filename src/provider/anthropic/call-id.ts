import { wireName } from '../wire-name.ts';

/** The id of a call as the API takes it: the same for the call and for its result. */
export function callId(id: string): string {
  return wireName(id, /^[a-zA-Z0-9_-]+$/);
}
