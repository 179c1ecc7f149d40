/** What nearly every API takes as a tool's name. */
const plainName = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * The name of a tool on the wire: itself where the API takes it, else a form of it that every API takes. The same name
 * always has the same form, and a hash keeps the forms of two names apart. Only a name that is itself such a form is changed
 * although it fits: it could be that of another tool.
 */
export function wireName(name: string, allowed: RegExp = plainName): string {
  if (allowed.test(name) && !isForm(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  const unsigned = `${readable.slice(0, 51)}_${hash(name)}`;
  return unsigned + signature(unsigned);
}

/** Whether a name ends in a hash that is signed as ours. */
function isForm(name: string): boolean {
  return /_[0-9a-f]{12}$/.test(name) && name.endsWith(signature(name.slice(0, -2)));
}

/** 40 bits in ten letters: of many names, no two have the same. */
function hash(text: string): string {
  return fnv1a(text, 0x811c9dc5).padStart(8, '0') + fnv1a(text, 0x01000193).padStart(8, '0').slice(-2);
}

function signature(text: string): string {
  return fnv1a(text, 0x9e3779b9).padStart(8, '0').slice(-2);
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string, seed: number): string {
  let value = seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return (value >>> 0).toString(16);
}
