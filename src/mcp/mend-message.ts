import { isObject } from '../chat/is-object.ts';
import { mendResult } from './mend-result.ts';

type Mutable = Record<string, unknown>;

const texts = ['title', 'description'] as const;
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * Mends a list of tools, or the result of one, in a message of a server, in place. The SDK checks a list as a whole: one tool that is odd would take all others
 * of the server away.
 *
 * What describes a tool and can't be used is left out, and a tool without a name is; `outputSchema` always is, since results are told to
 * the model as they come, and a result that does not fit is better than none.
 */
export function mendMessage(message: unknown, warn: (problem: string) => void): void {
  const result = isObject(message) && isObject(message['result']) ? (message['result'] as Mutable) : undefined;
  if (result && ('content' in result || 'structuredContent' in result)) return mendResult(result);
  if (!result || !Array.isArray(result['tools'])) return;
  const tools = result['tools'] as readonly unknown[];
  result['tools'] = tools.flatMap((tool, place) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string' || !tool['name'].trim()) {
      warn(`tool ${place + 1} of its list has no name, and is left out`);
      return [];
    }
    if (isTooLarge(tool['inputSchema'])) {
      warn(`the schema of its tool ${tool['name']} is too large or too deep; its arguments are passed on as they come`);
      return [mendedTool({ ...tool, inputSchema: {} })];
    }
    return [mendedTool(tool)];
  });
}

/** Schemas are walked by functions that call themselves, here and in what is used here. Not this one. */
function isTooLarge(schema: unknown): boolean {
  let count = 0;
  let level = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length;
    if (depth > 100 || count > 100_000) return true;
    level = level.flatMap((node): unknown[] => (typeof node === 'object' && node !== null ? Object.values(node) : []));
  }
  return false;
}

function mendedTool(tool: Readonly<Mutable>): Mutable {
  const { name, inputSchema, annotations, _meta } = tool;
  return {
    name,
    ...picked(tool, texts, 'string'),
    inputSchema: mendedSchema(inputSchema),
    ...(isObject(annotations) && {
      annotations: { ...picked(annotations, ['title'], 'string'), ...picked(annotations, hints, 'boolean') },
    }),
    ...(isObject(_meta) && { _meta }),
  };
}

function mendedSchema(schema: unknown): Mutable {
  const { $schema, properties, required, ...rest } = isObject(schema) ? schema : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return {
    ...(typeof $schema === 'string' && { $schema }),
    ...rest,
    type: 'object',
    ...(isObject(properties) && { properties }),
    ...(names.length > 0 && { required: names }),
  };
}

function picked(source: Readonly<Mutable>, keys: readonly string[], type: 'string' | 'boolean'): Mutable {
  return Object.fromEntries(keys.filter((key) => typeof source[key] === type).map((key) => [key, source[key]]));
}
