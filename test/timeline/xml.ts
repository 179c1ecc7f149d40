export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
}

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: (XmlElement | string)[];
}

const token = /<(\/?)([a-zA-Z][\w-]*)((?: [a-zA-Z][\w-]*="[^"<]*")*)(\/?)>|([^<>]+)/y;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Reads what is well-formed, and throws at what is not: no more of XML than a drawing needs, so that nothing else passes. */
export function parseXml(text: string): XmlElement {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(text)) throw new Error('a character that XML forbids');
  const root: Open = { name: '', attributes: {}, children: [] };
  const open: Open[] = [root];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (!match) throw new Error(`not well-formed at ${text.slice(at, at + 40)}`);
    const [, isEnd, name = '', attributes = '', isEmpty, characters] = match;
    if (characters !== undefined) open.at(-1)!.children.push(decoded(characters));
    else if (isEnd) {
      if (open.length < 2 || open.pop()!.name !== name) throw new Error(`${name} was not open`);
    } else {
      const element: Open = { name, attributes: attributesOf(attributes), children: [] };
      open.at(-1)!.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  const [element, ...more] = root.children;
  if (open.length !== 1 || more.length > 0 || typeof element !== 'object') throw new Error('not one element that is closed');
  return element;
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, decoded(value!)] as const);
  if (new Set(found.map(([key]) => key)).size !== found.length) throw new Error(`an attribute twice:${text}`);
  return Object.fromEntries(found);
}

function decoded(text: string): string {
  return text.replace(/&([^;&]*);?/g, (all, name: string) => {
    const character = all.endsWith(';') ? entities[name] : undefined;
    if (character === undefined) throw new Error(`unknown entity ${all}`);
    return character;
  });
}

/** The element and all within it. */
export function* elementsOf(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) if (typeof child === 'object') yield* elementsOf(child);
}

export const textOf = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
