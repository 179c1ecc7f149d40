import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { dialectForm } from './dialect-form.ts';
import { anyValue, type Dialect } from './dialect.ts';
import { optionalCycles } from './optional-cycles.ts';
import { soundSchema } from './sound-schema.ts';

const formats = ['date-time', 'date', 'time'];

/** What Gemini knows of JSON Schema itself. */
const json: Dialect = {
  keeps: new Map([
    ['title', anyValue],
    ['description', anyValue],
    ['format', (format: unknown) => formats.includes(format as string)],
    ['minimum', anyValue],
    ['maximum', anyValue],
    ['minItems', anyValue],
    ['maxItems', anyValue],
  ]),
  enumValue: (value) => typeof value === 'number' || (typeof value === 'string' && value !== ''),
  constant: 'enum',
  closed: false,
  tuples: true,
  recursion: true,
  rootRef: false,
  optionals: 'kept',
};

/** A schema in the part of JSON Schema that Gemini takes in the place of its own `Schema`, which says less. */
export const geminiJsonSchema = onceFor((schema: JsonSchema): JsonSchema => {
  const form = dialectForm(soundSchema(schema), json);
  return form.schema ? optionalCycles(form.schema) : {};
});
