import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Cancel a started invocation',
  sentence: 'All who listen get an `InvocationCancelledError` at once, and the request is stopped.',
  diagram: `
    ms       0    5
    model    -t-t-t-t|
             ^---!
    user     ----x
    events   -t-t#
    text     -t-t#
  `,
  call: 'start',
  user: { x: { cancel: 'enough' } },
  fails: 'AbortError: The invocation was cancelled.',
  memory: [],
});
