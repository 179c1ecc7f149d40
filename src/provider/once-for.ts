/** Remembers what was made of an object for as long as the object lives; what is no object is made anew. */
export function onceFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    // Foreign data may be no object at all, whatever its type says.
    if (typeof key !== 'object' || key === null) return make(key);
    let made = known.get(key);
    if (!made) known.set(key, (made = { value: make(key) }));
    return made.value;
  };
}
