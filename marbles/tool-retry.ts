import { retry } from 'rxjs';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A tool that is tried again',
  sentence: 'An interceptor is plain RxJS around an execution: with `retry` the model never hears of the first failure.',
  diagram: `
    ms        0        5      10
    model     -W    |       - y|
    weather    -    -#  --r |
    events    -(W<w)%-----*w>wy($|)
  `,
  options: { interceptors: { tool: [(_request, _context, next) => next().pipe(retry({ count: 2, delay: 3 }))] } },
  memory: ['user: hello', 'assistant: weather()', 'weather: r', 'assistant: y'],
});
