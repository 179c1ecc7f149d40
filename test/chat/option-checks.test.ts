import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import { checkCount, checkDuration, checkFunction, checkKnownOptions, checkText } from '../../src/chat/option-checks.ts';

function refusal(check: () => void): string {
  try {
    check();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).name).toBe('ConfigurationError');
    return (error as Error).message;
  }
  return 'accepted';
}

/** The message must name what was set up, the option, the value that it has, and what it must be. */
function expectRefusal(check: () => void, ...parts: string[]): void {
  const message = refusal(check);
  for (const part of parts) expect(message).toContain(part);
}

describe('options that can not work are refused, with the option, its value and the remedy', () => {
  it('an option that there is not: a typing error is no setting', () => {
    expectRefusal(() => checkKnownOptions('aiService', { modle: 1 }, ['model', 'name']), 'aiService', 'modle', 'model, name');
    expect(refusal(() => checkKnownOptions('aiService', { model: 1, name: undefined }, ['model', 'name']))).toBe('accepted');
    expect(refusal(() => checkKnownOptions('aiService', {}, []))).toBe('accepted');
  });

  it.each([
    ['toolTimeOut', 'toolTimeout'],
    ['tool', 'tools'],
    ['memory', 'chatMemory'],
    ['Provider', 'toolProviders'],
  ])('%s: says that %s was probably meant', (option, meant) => {
    const known = ['model', 'tools', 'toolProviders', 'chatMemory', 'toolTimeout'];
    const message = `aiService: unknown option ${option} (did you mean ${meant}?); there are ${known.join(', ')}.`;
    expect(refusal(() => checkKnownOptions('aiService', { [option]: 1 }, known))).toBe(message);
  });

  it.each(['', 'x', 'el', 'verbose', '__proto__x'])('%j: nothing like it is there, so nothing is guessed', (option) => {
    const message = `aiService: unknown option ${option}; there are model, name.`;
    expect(refusal(() => checkKnownOptions('aiService', { [option]: 1 }, ['model', 'name']))).toBe(message);
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['x', 'a text'],
    [5n, '5n'],
  ])('%s instead of an object of options', (options, shown) => {
    expectRefusal(() => checkKnownOptions('aiService', options, ['model']), 'aiService', shown, 'object');
  });

  it.each([
    [0, '0'],
    [-1, '-1'],
    [1.5, '1.5'],
    [NaN, 'NaN'],
    ['3', '"3"'],
    [null, 'null'],
    [2 ** 53, '9007199254740992'],
  ])('%s where a whole number from 1 up is asked for', (value, shown) => {
    expectRefusal(
      () => checkCount('aiService', 'toolConcurrency', value, 1),
      'aiService',
      `toolConcurrency`,
      ` is ${shown};`,
      'whole number',
      '1',
    );
  });

  it.each([undefined, 1, 20, Infinity])('%s is a count', (value) => {
    expect(refusal(() => checkCount('aiService', 'toolConcurrency', value, 1))).toBe('accepted');
  });

  it.each([
    [0, '0'],
    [-5, '-5'],
    [NaN, 'NaN'],
    ['10', '"10"'],
    [null, 'null'],
  ])('%s where milliseconds are asked for', (value, shown) => {
    expectRefusal(() => checkDuration('aiService', 'toolTimeout', value), 'aiService', 'toolTimeout', ` is ${shown};`, 'above 0');
  });

  it.each([undefined, 0.5, 1000, Infinity])('%s is a duration', (value) => {
    expect(refusal(() => checkDuration('aiService', 'toolTimeout', value))).toBe('accepted');
  });

  it.each([
    [null, 'null'],
    ['x', '"x"'],
    [{}, '{}'],
  ])('%s where a function is asked for', (value, shown) => {
    expectRefusal(
      () => checkFunction('aiService', 'idGenerator', value),
      'aiService',
      'idGenerator',
      ` is ${shown};`,
      'function',
    );
  });

  it('a function, or none, is a function option', () => {
    expect(refusal(() => checkFunction('aiService', 'idGenerator', undefined))).toBe('accepted');
    expect(refusal(() => checkFunction('aiService', 'idGenerator', () => ''))).toBe('accepted');
  });

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['', '""'],
    ['  \n', '"  \\n"'],
    [5, '5'],
  ])('%j where a text is asked for', (value, shown) => {
    expectRefusal(() => checkText('tool', 'name', value), 'tool', 'name', ` is ${shown};`, 'not empty');
  });

  it('a text with something in it is a text', () => {
    expect(refusal(() => checkText('tool', 'name', ' a '))).toBe('accepted');
  });

  it('of an object only the properties are named, for it may hold secrets', () => {
    expectRefusal(() => checkCount('aiService', 'toolConcurrency', { apiKey: 'sk-1' }, 1), 'is an object with apiKey;');
    expectRefusal(() => checkCount('aiService', 'toolConcurrency', [{ apiKey: 'sk-1' }], 1), 'is [an object with apiKey];');
  });

  it('a value that JSON can not hold is shown, too', () => {
    expectRefusal(() => checkCount('aiService', 'toolConcurrency', [1n], 1), 'is [1n];');
  });
});
