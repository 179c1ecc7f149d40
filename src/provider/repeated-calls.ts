/** Says of calls that come whole whether one is told once more: with the same id, name and arguments. Without an id each is its own. */
export function repeatedCalls(): (id: string | undefined, name: string | undefined, written: string) => boolean {
  const told = new Set<string>();
  return (id, name, written) => {
    if (id === undefined) return false;
    const whole = JSON.stringify([id, name, written]);
    const isKnown = told.has(whole);
    told.add(whole);
    return isKnown;
  };
}
