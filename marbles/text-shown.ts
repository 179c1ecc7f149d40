import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Text that was shown stays',
  sentence: 'Whoever has only the text can not be told to drop it: the round is not asked for again, and the text fails.',
  diagram: `
    ms      0    5
    model   -h-a-#
    text    -h-a-#
  `,
  options: { roundRetries: 1 },
  fails: 'ChatModelError: scripted: the connection was lost',
  memory: [],
});
