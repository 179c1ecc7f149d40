import { $ZodObject, toJSONSchema, type $ZodType } from 'zod/v4/core';
import { ConfigurationError } from '../../chat/configuration-error.ts';
import { invalidOption } from '../../chat/option-checks.ts';
import type { JsonSchema } from '../../chat/tool-specification.ts';
import { messageOf } from '../../tool/tool-errors.ts';
import { writtenAs } from '../../tool/written-as.ts';

/** A service's `output` in the two forms that are needed: as JSON Schema for the model, and as a check of what it wrote. */
export interface OutputSchema {
  /** Its root is an object. */
  readonly json: JsonSchema;
  readonly type: $ZodType;
  /** Whether `output` is no object and stands as `value` in one, because providers take nothing but objects. */
  readonly isWrapped: boolean;
}

/** Throws a `ConfigurationError` when the type can't be told as JSON Schema. */
export function outputSchema(output: unknown): OutputSchema {
  const type = zodType(output);
  const json = told(type);
  if (json['type'] === 'object') return { json, type, isWrapped: false };
  const wrapped = new $ZodObject({ type: 'object', shape: { value: type } });
  return { json: told(wrapped), type: wrapped, isWrapped: true };
}

function zodType(output: unknown): $ZodType {
  const { _zod, _def } = (output ?? {}) as { _zod?: unknown; _def?: unknown };
  if (typeof _zod === 'object') return output as $ZodType;
  if (_def !== undefined) throw new ConfigurationError('aiService: output is a schema of zod 3; make it with zod 4.');
  throw invalidOption('aiService', 'output', output, 'it must be a zod schema, such as z.object({ … })');
}

/** The input side, which is what the model writes: before defaults and transforms. */
function told(type: $ZodType): JsonSchema {
  const refused = new Map<string, string>();
  try {
    const schema = toJSONSchema(type, { io: 'input', unrepresentable: 'any', override: (node) => tell(node, refused) });
    // Which draft it is in is no business of the model.
    delete schema.$schema;
    const [problem] = refused.values();
    if (problem === undefined) return rooted(schema);
    throw new Error(problem);
  } catch (error) {
    throw new ConfigurationError(`aiService: output can't be told as JSON Schema: ${messageOf(error)}.`);
  }
}

/** What JSON can't hold, with what to use for it. */
const notInJson: Readonly<Record<string, string>> = {
  bigint: 'z.coerce.bigint()',
  date: 'z.coerce.date()',
  file: 'z.string()',
  function: 'z.string()',
  map: 'z.record(…)',
  nan: 'z.number()',
  set: 'z.array(…)',
  symbol: 'z.string()',
};

interface Node {
  readonly zodSchema: $ZodType;
  readonly jsonSchema: object;
  readonly path: readonly (string | number)[];
}

/** Mends what zod tells of one part of a type, and notes by its place what no JSON can ever fit. */
function tell({ zodSchema, jsonSchema, path }: Node, refused: Map<string, string>): void {
  const def = zodSchema._zod.def as { type: string; coerce?: boolean; in?: $ZodType };
  const place = path.join('.');
  const remedy = notInJson[def.type];
  if (remedy && !def.coerce)
    refused.set(place, `${place ? `at ${place}` : 'its root'} is a zod ${def.type}; use ${remedy} or a codec`);
  Object.assign(jsonSchema, writtenAs[def.type]);
  // A preprocess may well make a Date of a text. It is told behind the type that it is made for.
  if (def.in?._zod.def.type !== 'transform') return;
  for (const inner of refused.keys()) if (!place || `${inner}.`.startsWith(`${place}.`)) refused.delete(inner);
}

/** A type that has an id is told as a reference to its definition; at the root there must be the object itself. */
function rooted(schema: JsonSchema): JsonSchema {
  const { $ref, $defs = {}, ...others } = schema;
  const definitions = $defs as Readonly<Record<string, JsonSchema>>;
  const id = Object.keys(definitions).find((name) => $ref === `#/$defs/${name}`);
  if (id === undefined) return schema;
  const root: JsonSchema = { ...definitions[id], ...others };
  const otherDefinitions = Object.entries(definitions).filter(([name]) => name !== id);
  const isReferredTo = JSON.stringify([root, otherDefinitions]).includes(JSON.stringify($ref));
  if (isReferredTo) return { ...root, $defs };
  return otherDefinitions.length > 0 ? { ...root, $defs: Object.fromEntries(otherDefinitions) } : root;
}
