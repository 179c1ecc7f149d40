import * as z from 'zod';
import { tool } from '../../index.ts';
import { evaluate } from './evaluate.ts';

/** Arithmetic. */
export const calculate = tool({
  name: 'calculate',
  description: 'Works out an arithmetic expression.',
  parameters: z.object({
    expression: z.string().max(200).describe('Numbers, + - * / % ^ and parentheses, such as (3 + 4) * 2.5'),
  }),
  execute: ({ expression }) => evaluate(expression),
});
