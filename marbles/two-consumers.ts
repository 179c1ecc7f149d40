import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Two who listen to one invocation',
  sentence: 'What was started runs once, whoever listens; who comes late is told all, with neighbouring texts in one piece.',
  diagram: `
    ms            0    5               10
    model         -a-b-W    |          - y|
    weather            -    -      --r |
    events        -a-b-(W<w)%      --*w>wy($|)
    late events             (tW<w%)--*w>wy($|)
                  ------    ^
  `,
  call: 'start',
  memory: ['user: hello', 'assistant: ab weather()', 'weather: r', 'assistant: y'],
});
