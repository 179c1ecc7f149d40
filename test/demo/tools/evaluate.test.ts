import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/demo/tools/evaluate.ts';

describe('the arithmetic of the demo', () => {
  it.each([
    ['(1234 + 5678) * 9 / 7', 8886.85714285714],
    ['1 + 2 * 3', 7],
    ['10 - 4 - 3', 3],
    ['12 / 3 / 2', 2],
    ['17 % 5', 2],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['--3 * -(2 + .5)', -7.5],
    ['1.5e3 + 1E-1', 1500.1],
    ['0.1 + 0.2', 0.3],
    ['9007199254740991', 9007199254740991],
  ])('%s is %d', (expression, value) => {
    expect(evaluate(expression)).toBe(value);
  });

  it.each([
    ['', 'Expected a number and found the end.'],
    ['2 +', 'Expected a number and found the end.'],
    ['(1 + 2', 'Expected a closing parenthesis and found the end.'],
    ['2 3', 'Expected an operator and found "3".'],
    ['constructor', 'Expected a number and found "c".'],
    ['process.exit(1)', 'Expected a number and found "p".'],
    ['1 / (2 - 2)', 'This divides by zero.'],
    ['5 % 0', 'This divides by zero.'],
    ['10 ^ 400', 'not a number that can be written down'],
    ['(-1) ^ 0.5', 'not a number that can be written down'],
  ])('tells the model what is wrong with "%s"', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });
});
