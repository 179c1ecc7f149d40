import { readFileSync } from 'node:fs';
import { asyncScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiService } from '../../src/service/ai-service.ts';
import type { AiServiceStreamingEvent } from '../../src/service/streaming-event.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { compiledBank } from '../demo/bank/compiled-bank.ts';
import { sections } from './snippets.ts';

const section = sections.get('The bank transfer')!;

/** How many ms a character of the picture is. */
const scale = 50;

/** Where the rows of the picture begin. */
const margin = 10;

/** Where their legend begins. */
const legend = 34;

type Row = readonly [name: string, marks: readonly (readonly [column: number, mark: string])[]];

/** What is drawn of an event, and in which row. */
function drawn(event: AiServiceStreamingEvent): readonly [name: string, mark: string] | undefined {
  switch (event.type) {
    case 'partialResponse':
      return ['model', 't'];
    case 'completeToolCall':
      return ['model', event.request.name.charAt(0).toUpperCase()];
    case 'intermediateResponse':
    case 'finalResponse':
      return ['model', '|'];
    case 'beforeToolExecution':
      return [event.request.name, 'b'];
    case 'afterToolExecution':
      return [event.execution.request.name, event.execution.hasFailed ? 'x' : 'a'];
    case 'toolCompensated':
      return ['undone', event.execution.request.name.charAt(0)];
    default:
      return undefined;
  }
}

/** The rows of a transfer that really ran, with a model that writes at this pace. */
function played(): readonly Row[] {
  const { Bank } = compiledBank();
  const call = (name: string, account: string) => ({ name, arguments: JSON.stringify({ account, euros: 100 }) });
  const rounds = ['50ms t 99ms C 99ms t 49ms D 49ms |', '100ms t 49ms t 49ms |'];
  const model = scriptedModel(rounds, { calls: { C: call('credit', 'Ben'), D: call('debit', 'Ada') } });
  const rows = new Map<string, [number, string][]>();
  runMarbles(({ record }) => {
    const clerk = aiService({ model, tools: [new Bank({ Ada: 30, Ben: 5 })], compensateOnToolErrors: true });
    record(clerk.stream('Transfer 100 euros from Ada to Ben.'), (event) => {
      const [name, mark] = drawn(event) ?? [];
      if (name && mark) rows.set(name, [...(rows.get(name) ?? []), [asyncScheduler.now() / scale, mark]]);
      return ' ';
    });
  });
  return [...rows];
}

/** The rows that the section draws. */
function picture(): readonly Row[] {
  const [, block = ''] = /^```text\n([\s\S]*?)^```/m.exec(section)!;
  return block
    .trimEnd()
    .split('\n')
    .map((line): Row => {
      const marks = [...line.slice(margin, legend)].flatMap((mark, column) =>
        /[-\s]/.test(mark) ? [] : [[column, mark] as const],
      );
      return [line.slice(0, margin).trim(), marks];
    });
}

describe("the README's bank transfer", () => {
  it('has a picture that is what happens', () => {
    expect(picture()).toEqual(played());
  });

  it('has the bank of the demo', () => {
    const source = readFileSync(new URL('../../src/demo/bank/bank.ts', import.meta.url), 'utf8');
    expect(section).toContain(source.slice(source.indexOf('class Bank')).trimEnd());
  });
});
