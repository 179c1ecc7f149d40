import { describe, expect, it } from 'vitest';
import type { AgUiEvent } from '../../src/ag-ui/ag-ui-event.ts';
import { expectVerified } from './verified.ts';

const ids = { threadId: 't', runId: 'r' };
const begin = { type: 'RUN_STARTED', ...ids, protocolVersion: '1.0' } as const;
const end = { type: 'RUN_FINISHED', ...ids, outcome: { type: 'success' } } as const;
const step = { type: 'STEP_STARTED', stepName: 's' } as const;

describe('what these tests take for a whole run', () => {
  it.each<[string, readonly object[]]>([
    ['a field that the protocol does not know', [begin, { ...step, foo: 1 }, { type: 'STEP_FINISHED', stepName: 's' }, end]],
    ['a field of a wrong type', [begin, { ...step, stepName: 7 }, end]],
    ['a step that never ends', [begin, step, end]],
    ['no end', [begin]],
    ['two ends', [begin, end, { type: 'RUN_ERROR', message: 'x' }]],
    ['nothing before the end', [end]],
  ])('has not %s', (_, events) => {
    expect(() => expectVerified(events as readonly AgUiEvent[])).toThrow();
  });

  it('is one that has all it needs', () => {
    expect(() => expectVerified([begin, step, { type: 'STEP_FINISHED', stepName: 's' }, end])).not.toThrow();
  });
});
