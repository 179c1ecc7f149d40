import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Undone in reverse',
  sentence:
    'When the invocation fails all that was done in it is undone, over all rounds, one at a time and the last request first.',
  diagram: `
    ms          0                     5             10
    model       -(BH)    |          - P    |
    book         -       b    |
    undo book                                     - u|
    hire         -       -    h     |
    undo hire                              -    -u|
    pay                               -    #
    events      -(B<bH<h)(*b%)(*h>b)>h(P<p)(>p%)--^h-(^b#)
  `,
  options: { compensateOnToolErrors: true },
  fails: 'Error: pay failed',
  memory: [
    'user: hello',
    'assistant: book() hire()',
    'book failed: book had succeeded, but it was rolled back because pay failed.',
    'hire failed: hire had succeeded, but it was rolled back because pay failed.',
    'assistant: pay()',
    'pay failed: Tool execution did not complete.',
  ],
});
