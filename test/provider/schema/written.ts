type Json = Readonly<Record<string, unknown>>;

/** What a model may write that is held to a closed schema; `pick` chooses among so many. */
export function written(root: Json, pick: (of: number) => number, schema: Json = root, depth = 0): unknown {
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].slice('#/$defs/'.length);
    return written(root, pick, (root['$defs'] as Readonly<Record<string, Json>>)[name], depth + 1);
  }
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][pick(schema['enum'].length)];
  if (Array.isArray(schema['anyOf'])) {
    const branches = schema['anyOf'] as Json[];
    // What may hold itself comes to an end by its last branch.
    return written(root, pick, depth > 8 ? branches.at(-1)! : branches[pick(branches.length)]!, depth + 1);
  }
  const types = [schema['type']].flat();
  switch (types[pick(types.length)]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema['properties'] as Readonly<Record<string, Json>>).map(([key, inner]) => [
          key,
          written(root, pick, inner, depth + 1),
        ]),
      );
    case 'array':
      return Array.from({ length: depth > 8 ? 0 : pick(3) }, () => written(root, pick, schema['items'] as Json, depth + 1));
    case 'string':
      return ['', 'a', 'text'][pick(3)];
    case 'number':
    case 'integer':
      return pick(10);
    case 'boolean':
      return pick(2) === 0;
    default:
      return null;
  }
}
