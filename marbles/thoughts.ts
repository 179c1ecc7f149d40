import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Thoughts',
  sentence: 'What a model thinks is told beside what it says, and never as part of its answer.',
  diagram: `
    ms       0    5
    model    -~-~-o-k|
    events   -~-~-o-k($|)
    text     -----o-k|
  `,
  call: 'start',
  memory: ['user: hello', 'assistant: ok'],
});
