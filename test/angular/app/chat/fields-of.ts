export interface Field {
  readonly name: string;
  readonly text: string;
}

/** The arguments of a call, one by one; `undefined` while their JSON is not whole yet. */
export function fieldsOf(json: string): readonly Field[] | undefined {
  try {
    return Object.entries(Object(JSON.parse(json || '{}')) as object).map(([name, value]) => {
      return { name, text: typeof value === 'string' ? value : JSON.stringify(value) };
    });
  } catch {
    return undefined;
  }
}
