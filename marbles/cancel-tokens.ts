import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Leave while the model speaks',
  sentence: 'To unsubscribe stops the request at once, and memory knows nothing of the question.',
  diagram: `
    ms       0    5
    model    -t-t-t-t|
             ^---!
    events   -t-t
             ^---!
  `,
  memory: [],
});
