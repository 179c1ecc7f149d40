import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { dialectForm } from './dialect-form.ts';
import { anyValue, isPlainValue, type Dialect, type DialectForm } from './dialect.ts';
import { isSimplePattern } from './patterns.ts';
import { soundSchema } from './sound-schema.ts';

const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'];

/** What Anthropic's structured outputs take. */
const closed: Dialect = {
  keeps: new Map([
    ['title', anyValue],
    ['description', anyValue],
    ['format', (format: unknown) => formats.includes(format as string)],
    ['pattern', isSimplePattern],
    ['minItems', (least: unknown) => least === 0 || least === 1],
  ]),
  enumValue: isPlainValue,
  constant: 'const',
  closed: true,
  tuples: false,
  recursion: false,
  rootRef: false,
  optionals: 'kept',
};

/** A schema as Anthropic's structured outputs take it, or why it has no such form. */
export const closedForm = onceFor((schema: JsonSchema): DialectForm => dialectForm(soundSchema(schema), closed));
