import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Tools that come with the conversation',
  sentence: 'A dynamic provider is asked before each request: paying is offered once the cart is there.',
  diagram: `
    ms       0                 5
    model    -C    |    - P    |  - y|
    cart      -    c    |
    pay                   -    -p |
    events   -(C<c)(*c%)>c(P<p)%*p>py($|)
  `,
  tools: { pay: { isElsewhere: true } },
  options: ({ tool }) => ({
    toolProviders: [{ isDynamic: true, provideTools: ({ messages }) => (messages.length > 1 ? [tool('pay')] : []) }],
  }),
  offers: ['cart', 'cart, pay', 'cart, pay'],
  memory: ['user: hello', 'assistant: cart()', 'cart: c', 'assistant: pay()', 'pay: p', 'assistant: y'],
});
