import * as z from 'zod';
import { toolExecutionErrorHandler } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

const transfer = z.object({ account: z.string(), amount: z.number() });

export default spec({
  title: 'A bank transfer that is undone',
  sentence: 'The debit fails, so the credit that had succeeded is undone before the model is told, and memory says so.',
  diagram: `
    ms            0             5      10
    model         -(CD)    |        - n-o|
    credit         -       -c |
    undo credit                 - -u|
    debit          -       -- - #
    events        -(C<cD<d)%*c>c>d--^cn-o($|)
  `,
  calls: {
    C: { name: 'credit', arguments: { account: 'alice', amount: 50 } },
    D: { name: 'debit', arguments: { account: 'bob', amount: 50 } },
  },
  tools: { credit: { parameters: transfer }, debit: { parameters: transfer, error: new Error('bob has too little money') } },
  options: {
    compensateOnToolErrors: true,
    toolExecutionErrorHandler: toolExecutionErrorHandler.sendExceptionMessageToLlm(),
  },
  where: { '^c': { reason: 'toolError' } },
  memory: [
    'user: hello',
    'assistant: credit({"account":"alice","amount":50}) debit({"account":"bob","amount":50})',
    'credit failed: credit had succeeded, but it was rolled back because debit failed.',
    'debit failed: bob has too little money',
    'assistant: no',
  ],
});
