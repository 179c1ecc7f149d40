import { describe, expect, it, vi } from 'vitest';
import { ToolArgumentsError } from '../../../src/tool/tool-errors.ts';
import { toolsOf } from '../../../src/tool/tools-of.ts';
import type { Tool } from '../../../src/tool/types.ts';
import { play } from '../../service/support.ts';
import { watch } from '../../chat/watch.ts';
import { contextFor, executed, execution, failureOf, textIn } from '../call.ts';
import { compiled, kindNames } from './compiled.ts';
import type * as banks from './fixtures/bank.ts';
import type * as weathers from './fixtures/weather.ts';

const named = (tools: readonly Tool[], name: string): Tool => tools.find(({ specification }) => specification.name === name)!;

describe.each(kindNames)('a method under @Tool, with %s decorators,', (kind) => {
  const { Weather } = compiled<typeof weathers>('weather', kind);
  const { Bank } = compiled<typeof banks>('bank', kind);
  const tools = () => toolsOf(new Weather());
  const toolNamed = (name: string) => named(tools(), name);

  it('is one of the tools of its object, and no other method is', () => {
    expect(tools().map(({ specification }) => specification.name)).toEqual([
      'now',
      'here',
      'get_weather',
      'json',
      'with-dash',
      'loud',
      'promise',
      'observable',
      'iterable',
      'nothing',
      'by_symbol',
    ]);
  });

  it('[S85] has its own name and takes no arguments, unless it is told otherwise', () => {
    expect(toolNamed('now').specification).toEqual({ name: 'now', parameters: { type: 'object', properties: {} } });
    expect(toolNamed('here').specification).toMatchObject({ name: 'here', description: 'Returns the weather of a city' });
    expect(toolNamed('get_weather').specification).toEqual({
      name: 'get_weather',
      description: 'Returns the weather of some days',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where' }, days: { type: 'number', default: 1 } },
        required: ['city'],
      },
      metadata: { strict: true },
    });
  });

  it('[S85] may have a symbol for its own name, if its tool has a name', () => {
    expect(textIn(executed(toolNamed('by_symbol')))).toBe('sunny');
  });

  it('is called on its object, with checked arguments and the context', () => {
    expect(textIn(executed(toolNamed('get_weather'), { city: 'Paris' }))).toBe('sunny in Paris for 1 (c1)');
    expect(textIn(executed(toolNamed('json'), { city: 'Paris' }))).toBe('{"city":"Paris"}');
  });

  it('is not called with arguments that do not fit', () => {
    expect(failureOf(toolNamed('get_weather'), { city: 5 })).toBeInstanceOf(ToolArgumentsError);
    expect(failureOf(toolNamed('json'))).toBeInstanceOf(ToolArgumentsError);
  });

  it('may return nothing, an Observable, a promise or an async iterable', async () => {
    expect(textIn(executed(toolNamed('nothing')))).toBe('Success');
    const progress: unknown[] = [];
    const run = (name: string) => {
      const tool = toolNamed(name);
      return watch(
        execution(
          tool,
          {},
          contextFor(tool, {}, (value) => progress.push(value)),
        ),
      );
    };
    expect(run('observable')).toMatchObject({ values: [{ value: 'sunny' }], end: 'complete' });
    for (const name of ['promise', 'iterable']) {
      const watched = run(name);
      await vi.waitFor(() => expect(watched).toMatchObject({ values: [{ value: 'sunny' }], end: 'complete' }));
    }
    expect(progress).toEqual(['cloudy', 'sunny', 'cloudy', 'sunny']);
  });

  it('hands its traits on to the tool', () => {
    const [credit, debit] = toolsOf(new Bank());
    expect(debit).toMatchObject({
      specification: { metadata: { audited: true } },
      returnBehavior: 'immediateIfLast',
      searchBehavior: 'alwaysVisible',
      execution: 'sequential',
    });
    const needsApproval = (amount: number) => {
      const context = contextFor(debit!, { account: 'a', amount });
      return typeof debit!.needsApproval === 'function' && debit!.needsApproval(context.request, context);
    };
    expect([needsApproval(1), needsApproval(1001)]).toEqual([false, true]);
    expect(Object.keys(credit!)).toEqual(['specification', 'compensate', 'execute', 'pipe']);
  });

  it('stays the method that it was', () => {
    const weather = new Weather();
    expect(weather.inCity({ city: 'Rome', days: 2 }, contextFor(toolNamed('get_weather')))).toBe('sunny in Rome for 2 (c1)');
    expect(weather.inCity.name).toBe('inCity');
    expect(weather.inCity).toHaveLength(2);
    expect(Object.keys(weather.inCity)).toEqual([]);
    expect(Object.keys(weather)).toEqual(['sky', 'reads']);
  });

  it('may be replaced by a decorator below @Tool, or later by a spy', () => {
    const weather = new Weather();
    const [now] = toolsOf(weather);
    const spy = vi.spyOn(weather, 'now').mockReturnValue('seen');
    expect(textIn(executed(now!))).toBe('seen');
    expect(spy.mock.lastCall).toEqual([{}, expect.objectContaining({ request: expect.anything() as unknown })]);
    expect(textIn(executed(toolNamed('loud')))).toBe('sunny!');
  });

  it('is found without any getter being run', () => {
    const weather = new Weather();
    toolsOf(weather);
    expect(weather.reads).toBe(0);
  });

  it('is a tool of each object for itself', () => {
    const [one, other] = [new Bank(), new Bank()];
    executed(toolsOf(one)[0]!, { account: 'a', amount: 5 });
    expect([one.balanceOf('a'), other.balanceOf('a')]).toEqual([5, 0]);
    expect(textIn(executed(toolsOf(Object.freeze(other))[0]!, { account: 'a', amount: 7 }))).toBe('7');
  });

  it('runs in a service, in virtual time', () => {
    const { marbles, values } = play({
      rounds: ['-A|', '-z|'],
      script: { calls: { A: { name: 'observable' } } },
      tools: tools(),
    });
    expect(marbles).toBe('-(O<o*o*o>o)%z($|)');
    expect(values.find(({ type }) => type === 'afterToolExecution')).toMatchObject({ execution: { result: 'sunny' } });
  });
});
