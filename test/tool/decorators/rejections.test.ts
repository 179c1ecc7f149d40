import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { declarerOf } from '../../../src/tool/decorated-marks.ts';
import { declaredTools } from '../../../src/tool/decorated-tools.ts';
import { CompensateFor } from '../../../src/tool/compensate-for.ts';
import { tool } from '../../../src/tool/tool.ts';
import { Tool } from '../../../src/tool/tool-decorator.ts';
import { toolsOf } from '../../../src/tool/tools-of.ts';
import { compiled, kindNames } from './compiled.ts';
import type * as rejects from './fixtures/rejected.ts';

const isDecorated = (value: unknown): boolean => declarerOf(value) !== undefined;

type Rejected = typeof rejects;

describe.each(kindNames)('with %s decorators', (kind) => {
  const rejected = compiled<Rejected>('rejected', kind);
  const accessor = kind === 'TC39' ? 'getter' : 'accessor';

  it.each<{ where: keyof Rejected; message: string }>([
    {
      where: 'staticMethod',
      message: '@Tool stands on the static method credit; tools belong to an instance, so take static away.',
    },
    {
      where: 'staticUndo',
      message: '@CompensateFor stands on the static method undo; tools belong to an instance, so take static away.',
    },
    { where: 'getter', message: `@Tool stands on the ${accessor} balance; it must stand on a method.` },
    { where: 'field', message: '@Tool stands on the field credit; it must stand on a method.' },
    { where: 'ofClass', message: '@Tool stands on the class Bank; it must stand on a method.' },
    { where: 'bare', message: '@Tool stands without parentheses; write @Tool().' },
    { where: 'twice', message: '@Tool stands twice on the method credit; keep one.' },
    {
      where: 'symbol',
      message: '@Tool stands on the method Symbol(credit); a symbol is no name for a tool, so give it one.',
    },
    {
      where: 'unknownOption',
      message:
        '@Tool: unknown option descripton (did you mean description?); there are name, description, parameters, metadata, returnBehavior, searchBehavior, needsApproval, execution.',
    },
    { where: 'blankName', message: '@Tool: name is " "; it must be a text that is not empty.' },
    { where: 'blankUndo', message: '@CompensateFor: toolName is ""; it must be a text that is not empty.' },
  ])('[S162] a class can not be defined with a decorator where it can not work: $where', ({ where, message }) => {
    expect(rejected[where]).toThrow(new ConfigurationError(message));
  });

  it.each<{ where: keyof Rejected; message: string }>([
    { where: 'SameName', message: 'the tools of SameName: pay and deposit are both named pay; rename one.' },
    {
      where: 'Undecorated',
      message:
        'the tools of Undecorated: no method is decorated with @Tool, on top of all decorators that replace it; decorate one, or use tool({ … }).',
    },
    {
      where: 'OnlyUndo',
      message:
        'the tools of OnlyUndo: no method is decorated with @Tool, on top of all decorators that replace it; decorate one, or use tool({ … }).',
    },
    { where: 'BadWord', message: 'tool credit: returnBehavior is "now"; it must be one of toLlm, immediate, immediateIfLast.' },
    { where: 'BadParameters', message: 'tool credit: parameters is 42; it must be a zod object or a JSON Schema.' },
    { where: 'NoMethod', message: 'the tools of NoMethod: credit is decorated, but what overrides it is no method.' },
  ])('[S162] [S163] an object has no tools where they can not work: $where', ({ where, message }) => {
    const Class = rejected[where] as new () => object;
    expect(() => toolsOf(new Class())).toThrow(new ConfigurationError(message));
    expect(() => declaredTools(new Class())).toThrow(new ConfigurationError(message));
  });

  it('[S162] a class is told from its instances', () => {
    expect(() => toolsOf(rejected.TwoUndo)).toThrow(
      new ConfigurationError('toolsOf: TwoUndo is a class or a function; pass an instance of a class with @Tool methods.'),
    );
    expect(isDecorated(rejected.TwoUndo)).toBe(false);
    expect(isDecorated(new rejected.TwoUndo())).toBe(true);
    expect(isDecorated(new rejected.OnlyUndo())).toBe(false);
  });
});

// For legacy decorators it is an error of syntax.
it('[S162] with TC39 decorators a class can not be defined with one on a private method', () => {
  expect(compiled<Rejected>('rejected', 'TC39').privateMethod).toThrow(
    new ConfigurationError(
      "@Tool stands on the private method #credit; it can't be called from outside, so give it a name without #.",
    ),
  );
});

describe('what has no @Tool methods', () => {
  it.each([
    ['an array', [], 'an array has no @Tool methods; pass an instance of a class with @Tool methods, one at a time'],
    ['null', null, 'null has no @Tool methods; pass an instance of a class with @Tool methods'],
    ['nothing', undefined, 'undefined has no @Tool methods; pass an instance of a class with @Tool methods'],
    ['a text', 'sk-123', 'string has no @Tool methods; pass an instance of a class with @Tool methods'],
    ['a function', () => 1, 'this is a class or a function; pass an instance of a class with @Tool methods'],
  ])('[S162] is refused: %s', (_title, value, message) => {
    expect(() => toolsOf(value as object)).toThrow(new ConfigurationError(`toolsOf: ${message}.`));
    expect(isDecorated(value)).toBe(false);
  });

  it.each([
    ['a plain object', {}],
    ['an object without a prototype', Object.create(null) as object],
    ['a tool', tool({ name: 'a', execute: () => 1 })],
    ['a map', new Map()],
  ])('[S162] is refused: %s', (_title, value) => {
    expect(() => toolsOf(value)).toThrow(/no method is decorated with @Tool/);
    expect(isDecorated(value)).toBe(false);
  });
});

describe('a decorator that is called by hand', () => {
  const call =
    (decorator: unknown, ...args: unknown[]) =>
    () =>
      (decorator as (...args: unknown[]) => unknown)(...args);

  it('says what it stands on', () => {
    const stands = (what: string) => new ConfigurationError(`@Tool stands on the ${what}; it must stand on a method.`);
    class Bank {}
    expect(call(Tool(), Bank.prototype, 'credit', 0)).toThrow(stands('parameter credit'));
    expect(call(Tool(), Bank, undefined, 0)).toThrow(stands('parameter'));
    expect(call(Tool(), Bank.prototype, 'credit', { initializer: () => 1 })).toThrow(stands('field credit'));
    expect(call(Tool(), undefined, { kind: 'accessor', name: 'credit' })).toThrow(stands('accessor credit'));
    expect(call(Tool())).toThrow(stands('class'));
  });

  it('refuses a name that is none', () => {
    expect(call(CompensateFor, Object, 'credit', {})).toThrow(/toolName is a function/);
    expect(call(Tool, null)).toThrow(/there must be an object of options, not null/);
    expect(call(Tool, Object.prototype, 'credit', {})).toThrow(/without parentheses/);
  });
});
