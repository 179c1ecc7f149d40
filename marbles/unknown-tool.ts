import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool that there is not',
  sentence: 'A call of an unknown tool fails the invocation when the model has ended its answer.',
  diagram: `
    ms        0
    model     -X      -t|
    weather
    events    -(X<x>x)-t(%#)
  `,
  calls: { X: { name: 'wether' } },
  fails: 'UnknownToolError: The model called an unknown tool: wether. Set hallucinatedToolNameStrategy to tell it so and go on.',
  memory: [],
});
