import type { JsonSchema } from '../../chat/tool-specification.ts';
import { lastStepOf } from './ref-target.ts';

/** The definitions that references of a schema point at, all in one place and each under a name of its own. */
export interface RefDefinitions {
  /** The reference to use instead: dialects that know references know those to definitions at the root. */
  refTo(ref: string): string;
  /** The definitions that are used, also by each other; `undefined` when there are none. */
  formed(formOf: (ref: string) => JsonSchema): JsonSchema | undefined;
}

export function refDefinitions(): RefDefinitions {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const newName = (ref: string): string => {
    const readable = ref === '#' ? 'root' : lastStepOf(ref).replace(/[^\w.-]/g, '_') || 'unnamed';
    let name = readable;
    for (let i = 2; taken.has(name); i++) name = `${readable}_${i}`;
    taken.add(name);
    return name;
  };
  return {
    refTo(ref) {
      let name = names.get(ref);
      if (name === undefined) names.set(ref, (name = newName(ref)));
      return `#/$defs/${name}`;
    },
    formed(formOf) {
      const definitions: [string, JsonSchema][] = [];
      // A map that grows while it is walked is a queue that takes each reference once.
      for (const [ref, name] of names) definitions.push([name, formOf(ref)]);
      return definitions.length > 0 ? Object.fromEntries(definitions) : undefined;
    },
  };
}
