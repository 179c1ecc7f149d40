import type { Fault } from './fault.ts';
import type { Client } from './fault-server.ts';

/** Faults that change what the model says. All others break an answer, or leave it as it is. */
const distorting: ReadonlySet<Fault['type']> = new Set(['garble', 'repeatedFrame']);

/** Whether what reached this client may be something else than what the model has said. */
export const isDistorted = ({ served }: Client): boolean => served.some(({ fault }) => distorting.has(fault.type));
