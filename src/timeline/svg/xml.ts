import { printable } from '../layout/printable.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Any text for XML, on one line: without what XML forbids, and without what would act on its surroundings. */
export function escaped(text: string): string {
  return withEntities(printable(text));
}

const withEntities = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element around markup. Its attributes are ours: no text of others stands there. Numbers are rounded to what can be seen. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 10) / 10 : withEntities(value!)}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}
