import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Leave, and what was done is undone',
  sentence: 'A running tool that can be undone is left to settle; then all is undone, the last request first.',
  diagram: `
    ms          0                5    10
    model       -(BH)    |
    book         -       b    |
    undo book                          --u|
    hire         -       -    - ---h|
    undo hire                       --u|
    events      -(B<bH<h)(*b%)>b-
                ^-       -    - -!
  `,
  options: { compensateOnToolErrors: true },
  memory: [
    'user: hello',
    'assistant: book() hire()',
    'book failed: book had succeeded, but it was rolled back because the invocation was cancelled.',
    'hire failed: hire had succeeded, but it was rolled back because the invocation was cancelled.',
  ],
});
