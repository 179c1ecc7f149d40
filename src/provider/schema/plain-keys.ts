import type { JsonSchema } from '../../chat/tool-specification.ts';
import { onceFor } from '../once-for.ts';
import { entriesOf, textsOf, without } from './json-object.ts';
import { objectSchema } from './object-schema.ts';

/** The names of properties that Anthropic takes at the root of a tool's parameters; any other fails the whole request. */
const plainKey = /^[a-zA-Z0-9_.-]{1,64}$/;

/** More would be a description that nobody reads. */
const longest = 2000;

/**
 * A tool's parameters with a root that every API takes, and without properties whose names the API refuses. Such a property is told in the description instead:
 * a model that knows its name can still use it.
 */
export const plainKeys = onceFor((parameters: JsonSchema): JsonSchema => {
  const schema = objectSchema(parameters);
  const properties = entriesOf(schema['properties']);
  const odd = properties.filter(([key]) => !plainKey.test(key));
  if (odd.length === 0) return schema;
  const required = textsOf(schema['required']);
  const told = JSON.stringify(Object.fromEntries(odd)).slice(0, longest);
  const needed = odd.map(([key]) => key).filter((key) => required.includes(key));
  const words = [
    ...(typeof schema['description'] === 'string' ? [schema['description']] : []),
    `It also takes, by these exact names: ${told}.`,
    ...(needed.length > 0 ? [`Required of them: ${JSON.stringify(needed).slice(0, longest)}.`] : []),
  ];
  const names = required.filter((key) => plainKey.test(key));
  return {
    // They are further properties now.
    ...without(schema, ['required', ...(schema['additionalProperties'] === false ? ['additionalProperties'] : [])]),
    description: words.join(' '),
    properties: Object.fromEntries(properties.filter(([key]) => plainKey.test(key))),
    ...(names.length > 0 && { required: names }),
  };
});
