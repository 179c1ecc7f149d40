/** A copy of JSON with each of its texts changed. `key`: the property that the text is the value of. */
export function mapTexts(value: unknown, change: (text: string, key?: string) => string, key?: string): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, key));
  if (typeof value !== 'object' || value === null) return value;
  // `fromEntries` defines, where an assignment would lose a key named __proto__.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change, name)]));
}
