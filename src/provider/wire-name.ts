/** What nearly every API takes as a tool's name. */
const plainName = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * The name of a tool on the wire: itself where the API takes it, else a form of it that every API takes. The same name
 * always has the same form, and a hash keeps the forms of two names apart.
 */
export function wireName(name: string, allowed: RegExp = plainName): string {
  if (allowed.test(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  return `${readable.slice(0, 55)}_${hash(name)}`;
}

/** FNV-1a, 32 bits, in eight letters. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
