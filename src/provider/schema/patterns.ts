/**
 * Whether servers can read a regular expression: they check schemas in languages of their own, and refuse the whole request
 * for one that these can't read. Named groups, letters by property and code points in braces are written unlike elsewhere.
 */
export function isPortablePattern(pattern: string): boolean {
  if (/\\[pPkc]|\\u\{|\(\?<[^=!]/.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Whether an answer can be held to a regular expression while it is written: what looks around or back has no such form. */
export function isSimplePattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && isPortablePattern(pattern) && !/\(\?[=!<]|\\[bB1-9]/.test(pattern);
}
