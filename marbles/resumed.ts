import { retry } from 'rxjs';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A failed invocation goes on',
  sentence: 'Subscribing again after an error goes on behind the last round that ended: no tool runs twice.',
  diagram: `
    ms       0          5
    model    -M    |  - #
                        -y|
    mail      -    -m |
    events   -(M<m)%*m>m-y($|)
  `,
  pipe: retry(1),
  memory: ['user: hello', 'assistant: mail()', 'mail: m', 'assistant: y'],
});
