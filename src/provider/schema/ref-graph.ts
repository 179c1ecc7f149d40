import type { JsonSchema } from '../../chat/tool-specification.ts';
import { isJsonObject } from './json-object.ts';
import { refTarget } from './ref-target.ts';
import { usedSubschemas } from './subschemas.ts';

/** Whether what one reference points at leads to another, over as many references as it takes. */
export interface RefGraph {
  reaches(from: string, to: string): boolean;
}

/** Nobody writes circles that are longer; that they are not seen is cheaper than to look for them. */
const mostRefs = 500;

export function refGraph(root: JsonSchema): RefGraph {
  // What each reference leads to, filled when it is asked for: most schemas have none.
  const reached = new Map<string, ReadonlySet<string>>();
  const direct = new Map<string, readonly string[]>();
  const directFrom = (ref: string): readonly string[] => {
    let refs = direct.get(ref);
    if (!refs) direct.set(ref, (refs = refsIn(refTarget(root, ref))));
    return refs;
  };
  const allFrom = (from: string): ReadonlySet<string> => {
    // A set that grows while it is walked is a queue that takes each reference once.
    const all = new Set(directFrom(from));
    for (const ref of all) {
      if (all.size > mostRefs) break;
      for (const next of directFrom(ref)) all.add(next);
    }
    return all;
  };
  return {
    reaches(from, to) {
      let all = reached.get(from);
      if (!all) reached.set(from, (all = allFrom(from)));
      return all.has(to);
    },
  };
}

/** The references that stand in a schema. */
export function refsIn(schema: unknown): readonly string[] {
  const refs: string[] = [];
  const waiting = [schema];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (!isJsonObject(next)) continue;
    if (typeof next['$ref'] === 'string') refs.push(next['$ref']);
    for (const inner of usedSubschemas(next)) waiting.push(inner);
  }
  return refs;
}
