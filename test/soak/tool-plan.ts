import type { Random } from './random.ts';

/** How a tool behaves, each time that it is called. */
export interface ToolPlan {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** What `execute` returns. */
  readonly form: 'value' | 'promise' | 'stream' | 'iterable';
  /** Until it settles, in ms of the world. */
  readonly ms: number;
  readonly undo: 'none' | 'works' | 'takesTime' | 'fails';
  readonly execution: 'parallel' | 'sequential' | 'exclusive';
  readonly returnBehavior: 'toLlm' | 'immediate' | 'immediateIfLast';
  readonly needsApproval: boolean;
}

/**
 * `hangs`: until it is aborted. `deaf`: for ever, whatever happens. `late`: succeeds, but only when its time is up. `visible`:
 * throws an error that is made for the model.
 */
type Behaviour = 'works' | 'progress' | 'huge' | 'throws' | 'visible' | 'hangs' | 'deaf' | 'late';

interface Row {
  readonly weight: number;
  readonly behaviour: Behaviour;
  readonly forms: readonly ToolPlan['form'][];
}

const rows: readonly Row[] = [
  { weight: 12, behaviour: 'works', forms: ['value', 'promise', 'stream', 'iterable'] },
  { weight: 2, behaviour: 'progress', forms: ['stream', 'iterable'] },
  { weight: 1, behaviour: 'huge', forms: ['value', 'promise', 'stream'] },
  { weight: 2, behaviour: 'throws', forms: ['value', 'promise', 'stream', 'iterable'] },
  { weight: 2, behaviour: 'visible', forms: ['value', 'promise', 'stream'] },
  { weight: 1, behaviour: 'hangs', forms: ['promise', 'stream'] },
  { weight: 1, behaviour: 'deaf', forms: ['promise'] },
  { weight: 1, behaviour: 'late', forms: ['promise'] },
];

/** Some tools with names of their own. */
export function toolPlans(random: Random): readonly ToolPlan[] {
  return Array.from({ length: random.between(0, 5) }, (_, place) => toolPlan(random, place));
}

function toolPlan(random: Random, place: number): ToolPlan {
  const { between, chance, pick, weighted } = random;
  const { behaviour, forms } = weighted(rows);
  return {
    // A name that no provider takes is mapped on the way, and back.
    name: chance(0.1) ? `tool ${place}: ä` : `tool_${place}`,
    behaviour,
    form: pick(forms),
    ms: between(0, 12),
    undo: pick(['none', 'works', 'works', 'takesTime', 'fails']),
    execution: pick(['parallel', 'parallel', 'parallel', 'sequential', 'exclusive']),
    returnBehavior: chance(0.1) ? pick(['immediate', 'immediateIfLast']) : 'toLlm',
    needsApproval: chance(0.12),
  };
}
