import { toolErrorVisibleToLlm } from '../../index.ts';

interface Operator {
  /** The stronger one takes its operands first. */
  readonly strength: number;
  readonly isFromRight?: boolean;
  apply(left: number, right: number): number;
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ['+', { strength: 1, apply: (left, right) => left + right }],
  ['-', { strength: 1, apply: (left, right) => left - right }],
  ['*', { strength: 2, apply: (left, right) => left * right }],
  ['/', { strength: 2, apply: (left, right) => left / nonZero(right) }],
  ['%', { strength: 2, apply: (left, right) => left % nonZero(right) }],
  ['^', { strength: 4, isFromRight: true, apply: (left, right) => left ** right }],
] satisfies [string, Operator][]);

/** A sign is weaker than a power: -2^2 is -4. */
const signStrength = 3;

/** Works out numbers, + - * / % ^, signs and parentheses, to 15 digits. The model is told what it can't read or work out. */
export function evaluate(expression: string): number {
  const tokens = expression.match(/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|\S/gi) ?? [];
  let place = 0;

  const operand = (): number => {
    const token = tokens[place++];
    if (token === '-') return -value(signStrength);
    if (token === '+') return value(signStrength);
    if (token === '(') {
      const inner = value(0);
      if (tokens[place++] !== ')') throw unreadable(tokens[place - 1], 'a closing parenthesis');
      return inner;
    }
    const number = Number(token);
    if (token === undefined || Number.isNaN(number)) throw unreadable(token, 'a number');
    return number;
  };

  const value = (weakest: number): number => {
    let left = operand();
    for (;;) {
      const operator = operators.get(tokens[place] ?? '');
      if (!operator || operator.strength < weakest) return left;
      place++;
      left = operator.apply(left, value(operator.isFromRight ? operator.strength : operator.strength + 1));
    }
  };

  const result = value(0);
  if (place < tokens.length) throw unreadable(tokens[place], 'an operator');
  if (!Number.isFinite(result))
    throw toolErrorVisibleToLlm(
      'The result is not a number that can be written down: too large, or a root of a negative number.',
    );
  return Number.isSafeInteger(result) ? result : Number(result.toPrecision(15));
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw toolErrorVisibleToLlm('This divides by zero.');
  return divisor;
}

function unreadable(token: string | undefined, expected: string): Error {
  const found = token === undefined ? 'the end' : `"${token}"`;
  return toolErrorVisibleToLlm(`Expected ${expected} and found ${found}. It may have numbers, + - * / % ^ and parentheses.`);
}
