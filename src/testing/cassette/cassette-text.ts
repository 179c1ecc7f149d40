import { onceFor } from '../../provider/once-for.ts';
import type { Cassette, CassetteExchange } from './cassette.ts';

const widest = 130;
const step = '  ';

/** A cassette as JSON for readers: one event a line, and nothing broken that fits into one. */
export function cassetteText({ exchanges, ...header }: Cassette): string {
  const lines = Object.entries(header)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${step}${JSON.stringify(key)}: ${layout(value, step, key.length + 4)},`);
  const items = exchanges.map((exchange) => `${step}${step}${exchangeText(exchange)}`);
  const list = items.length > 0 ? `[\n${items.join(',\n')}\n${step}]` : '[]';
  return `{\n${lines.join('\n')}\n${step}"exchanges": ${list}\n}\n`;
}

// A file is written anew after each answer: what was in it before need not be laid out again.
const exchangeText = onceFor((exchange: CassetteExchange) => broken(exchange, `${step}${step}`));

/** `used`: how much of the line is taken by what stands before the value and behind it. */
function layout(value: unknown, indent: string, used: number): string {
  const line = inLine(value);
  return line !== undefined && indent.length + used + line.length <= widest ? line : broken(value, indent);
}

/** In one line, unless it is a list of objects, whose items stand one a line. */
function inLine(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    if (value.length > 1 && value.every(hasParts)) return undefined;
    return joined(value.map(inLine), '[', ']');
  }
  const properties = Object.entries(value).map(([key, item]) => {
    const line = inLine(item);
    return line === undefined ? line : `${JSON.stringify(key)}: ${line}`;
  });
  return properties.length > 0 ? joined(properties, '{ ', ' }') : '{}';
}

function hasParts(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 1;
}

function joined(lines: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return lines.includes(undefined) ? undefined : `${open}${lines.join(', ')}${close}`;
}

function broken(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + step;
  const isList = Array.isArray(value);
  const lines = Object.entries(value).map(([key, item], place, { length }) => {
    const name = isList ? '' : `${JSON.stringify(key)}: `;
    const comma = place < length - 1 ? ',' : '';
    return `${inner}${name}${layout(item, inner, name.length + comma.length)}${comma}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  return lines.length > 0 ? `${open}\n${lines.join('\n')}\n${indent}${close}` : `${open}${close}`;
}
