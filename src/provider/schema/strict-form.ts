import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { dialectForm } from './dialect-form.ts';
import { anyValue, isPlainValue, type Dialect, type DialectForm } from './dialect.ts';
import { flattened, longestChain } from './flattened.ts';
import { isJsonObject } from './json-object.ts';
import { objectSchema } from './object-schema.ts';
import { isSimplePattern } from './patterns.ts';
import { refTargets } from './ref-target.ts';
import { soundSchema } from './sound-schema.ts';
import { beyondStrictLimits } from './strict-limits.ts';
import { typesOf } from './types-of.ts';

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

/** OpenAI's strict mode. A keyword that it does not take is left out: what it demands is checked by us. */
const strict: Dialect = {
  keeps: new Map([
    ['title', anyValue],
    ['description', anyValue],
    ['format', (format: unknown) => formats.includes(format as string)],
    ['pattern', isSimplePattern],
    ['minimum', anyValue],
    ['maximum', anyValue],
    ['exclusiveMinimum', anyValue],
    ['exclusiveMaximum', anyValue],
    ['multipleOf', anyValue],
    ['minItems', anyValue],
    ['maxItems', anyValue],
  ]),
  enumValue: isPlainValue,
  constant: 'const',
  closed: true,
  tuples: false,
  recursion: true,
  rootRef: true,
  optionals: 'nullable',
};

const strictAnswer: Dialect = { ...strict, optionals: 'refused' };

/**
 * A schema as OpenAI's strict mode takes it, or why it has no such form. An optional property may be null instead, and null
 * counts as absent when arguments are checked; in an answer it would not, so that optional properties are refused there.
 */
export function strictForm(schema: JsonSchema, optionals: 'nullable' | 'refused' = 'nullable'): DialectForm {
  return optionals === 'refused' ? answerForm(schema) : parametersForm(schema);
}

const parametersForm = onceFor((schema: JsonSchema) => formIn(strict, schema));
const answerForm = onceFor((schema: JsonSchema) => formIn(strictAnswer, schema));

function formIn(dialect: Dialect, schema: JsonSchema): DialectForm {
  const root = flatRoot(soundSchema(schema));
  const isUnion = [root['anyOf'], root['then'], root['else']].some((branches) => branches !== undefined);
  if (isUnion) return { why: 'the root of the schema has alternatives' };
  // Parameters that say nothing take nothing.
  const isEmpty = dialect === strict && Object.keys(root).length === 0;
  if (!isEmpty && !typesOf(root).includes('object')) return { why: 'the root of the schema is no object' };
  if (dialect === strictAnswer && root['properties'] === undefined) return { why: 'the schema takes further properties' };
  const form = dialectForm(objectSchema(schema), dialect);
  const beyond = form.schema && beyondStrictLimits(form.schema);
  return beyond === undefined ? form : { why: beyond };
}

/** What stands at the root, behind references that lead there. */
function flatRoot(sound: JsonSchema): JsonSchema {
  const inlined = refTargets(sound);
  let root = flattened(sound, inlined);
  for (let i = 0; i < longestChain && typeof root['$ref'] === 'string'; i++) {
    const target = inlined(root['$ref']);
    root = isJsonObject(target) ? flattened(target, inlined) : {};
  }
  return root;
}
