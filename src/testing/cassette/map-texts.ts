/** A copy of JSON with each of its texts changed, keys by `changeKey`. `key`: the property that the text is the value of. */
export function mapTexts(
  value: unknown,
  change: (text: string, key?: string) => string,
  changeKey: (key: string) => string = (same) => same,
  key?: string,
): unknown {
  if (typeof value === 'string') return change(value, key);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, changeKey, key));
  if (typeof value !== 'object' || value === null) return value;
  // `fromEntries` defines, where an assignment would lose a key named __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [changeKey(name), mapTexts(item, change, changeKey, name)]),
  );
}
