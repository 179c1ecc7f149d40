import { jsonText } from '../../src/chat/json-safe.ts';
import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import { readDiagram } from './read-diagram.ts';
import { sourcesOf } from './sources.ts';
import type { Spec, ToolSettings } from './spec.ts';

/** What stands below a diagram: a word, and the lines beside it. */
export interface Note {
  readonly label: string;
  readonly lines: readonly string[];
}

/** What a spec says beside its diagram, in so far as it can be told in a line. */
export function notesOf(spec: Spec): readonly Note[] {
  const { calls = {}, says = {}, user = {}, tools = {}, sources = {}, call, pipe, fails, offers = [], memory } = spec;
  const legend = [
    ...Object.entries(calls).map(([letter, call]) => note(letter, callText(letter, call))),
    ...Object.entries(says).map(([symbol, event]) => note(symbol, saidText(event))),
    ...Object.entries(user).map(([symbol, action]) => note(symbol, settingsText(action))),
    ...[...Object.values(tools).map(({ values = {} }) => values), ...Object.values(sources)].flatMap((values) =>
      Object.entries(values).map(([symbol, value]) => note(symbol, typeof value === 'string' ? value : jsonText(value))),
    ),
    note('#', fails ?? ''),
  ];
  return [
    ...legend,
    note('call', call === undefined ? '' : `${call}()`),
    note('pipe', pipe === undefined ? '' : '…'),
    note('service', settingsText(settingsOf(spec))),
    ...Object.entries(tools).map(([name, settings]) => note(name, toolText(settings))),
    { label: 'offers', lines: offers },
    { label: 'memory', lines: memory.map((line) => line.replaceAll('\n', ' ')) },
  ].filter(({ lines }) => lines.length > 0);
}

function note(label: string, text: string): Note {
  return { label, lines: text ? [text.replaceAll('\n', ' ')] : [] };
}

function saidText(event: ChatModelEvent): string {
  if ('text' in event) return event.text;
  const { type, ...told } = event;
  return `${type} ${jsonText(told)}`;
}

function callText(letter: string, { name, arguments: written = {} }: NonNullable<Spec['calls']>[string]): string {
  const text = typeof written === 'string' ? written : JSON.stringify(written);
  return name === undefined && text === '{}' ? '' : `${name ?? letter.toLowerCase()}(${text === '{}' ? '' : text})`;
}

function settingsOf(spec: Spec): object {
  const { options = {} } = spec;
  return typeof options === 'function' ? options(sourcesOf(spec, readDiagram(spec.diagram)).kit) : options;
}

function toolText(settings: ToolSettings): string {
  const told = Object.entries(settings).filter(([name]) => name !== 'values' && name !== 'error');
  return settingsText(Object.fromEntries(told.map(([name, value]) => [name === 'isElsewhere' ? 'not in tools' : name, value])));
}

/** What is plain is told, and of all else that it is there. */
function settingsText(settings: object): string {
  return Object.entries(settings)
    .map(([name, value]: [string, unknown]) => (value === true ? name : `${name}: ${valueText(value)}`))
    .join(', ');
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? '…' : String(value);
  const isPlain =
    Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every((part) => typeof part !== 'object');
  return isPlain && !Object.values(value).some((part) => typeof part === 'function') ? `{ ${settingsText(value)} }` : '…';
}
