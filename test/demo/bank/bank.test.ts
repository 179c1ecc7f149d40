import { describe, expect, it } from 'vitest';
import { clerk } from '../../../src/demo/bank/clerk.ts';
import { transfer } from '../../../src/demo/bank/script.ts';
import { runMarbles } from '../../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import { compiledBank } from './compiled-bank.ts';

const { Bank } = compiledBank();

type Calls = Readonly<Record<string, { readonly name: string; readonly account: string; readonly euros: number }>>;

/** Lets a model of one round of calls move money, and tells what the drawing, the balances and the last request were. */
function moved(marbles: string, calls: Calls) {
  const bank = new Bank({ Ada: 30, Ben: 5 });
  const requests = Object.fromEntries(
    Object.entries(calls).map(([symbol, { name, ...args }]) => [symbol, { name, arguments: JSON.stringify(args) }]),
  );
  const model = scriptedModel([marbles, 'z|'], { calls: requests });
  let drawing = () => '';
  runMarbles(({ expectEvents }) => {
    ({ drawing } = expectEvents(clerk(model, bank).stream(transfer)));
  });
  const results = model.requests.at(-1)!.messages.flatMap((message) => (message.role === 'tool' ? message.contents : []));
  return { drawing: drawing(), balances: bank.balances, told: results.map((content) => ('text' in content ? content.text : '')) };
}

describe('the bank', () => {
  it('moves money from one account to the other', () => {
    const { balances, told } = moved('CD|', {
      C: { name: 'credit', account: 'Ben', euros: 30 },
      D: { name: 'debit', account: 'Ada', euros: 30 },
    });
    expect(balances).toBe('Ada 0, Ben 35');
    expect(told).toEqual(['{"account":"Ben","balance":35}', '{"account":"Ada","balance":0}']);
  });

  it('[S98] takes a credit back when the debit fails, 200 ms after that, and the model is told', () => {
    const { drawing, balances, told } = moved('C 99ms D|', {
      C: { name: 'credit', account: 'Ben', euros: 100 },
      D: { name: 'debit', account: 'Ada', euros: 100 },
    });
    expect(drawing).toBe('(C<c) 99ms (D<d)% 98ms (*c>c) 99ms >d 199ms (^cz)($|)');
    expect(balances).toBe('Ada 30, Ben 5');
    expect(told).toEqual(['credit had succeeded, but it was rolled back because debit failed.', 'Ada has only 30 euros.']);
  });

  it('gives a debit back when there is nobody to credit', () => {
    const { balances, told } = moved('CD|', {
      C: { name: 'credit', account: 'Eve', euros: 10 },
      D: { name: 'debit', account: 'Ada', euros: 10 },
    });
    expect(balances).toBe('Ada 30, Ben 5');
    expect(told).toEqual(['There is no account Eve.', 'debit had succeeded, but it was rolled back because credit failed.']);
  });
});
