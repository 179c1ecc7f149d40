import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool that takes too long',
  sentence: 'After `toolTimeout` ms it is unsubscribed from, the model is told, and the invocation goes on.',
  diagram: `
    ms        0        5        10
    model     -W    |  - y|
    weather    -    ---- --   -r|
              -^    ---!
    events    -(W<w)%-->wy($|)
  `,
  options: { toolTimeout: 4 },
  memory: [
    'user: hello',
    'assistant: weather()',
    'weather failed: Tool weather took longer than 4 ms and was stopped.',
    'assistant: y',
  ],
});
