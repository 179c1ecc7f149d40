import { retry } from 'rxjs';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A request that is tried again',
  sentence:
    'An interceptor is plain RxJS around a request: with `retry` the failure of a model that said nothing yet is never seen.',
  diagram: `
    ms       0    5
    model    -#  -y|
    events   -----y($|)
  `,
  options: { interceptors: { model: [(request, _context, next) => next(request).pipe(retry({ count: 2, delay: 3 }))] } },
  memory: ['user: hello', 'assistant: y'],
});
