import { keywordToolSearch } from '../src/index.ts';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'Tools that have to be found',
  sentence: 'The model searches the tools by words; what was found is offered from the next request on.',
  diagram: `
    ms        0              5
    model     -S      |        - y|
                      -W    |
    weather            -    -r |
    news
    events    -(S<s>s)%(W<w)%*w>wy($|)
  `,
  calls: { S: { name: 'search', arguments: { terms: ['weather'] } } },
  options: { toolSearchStrategy: keywordToolSearch({ toolName: 'search' }) },
  offers: ['search', 'search, weather', 'search, weather'],
  memory: [
    'user: hello',
    'assistant: search({"terms":["weather"]})',
    'search: Tools found: weather',
    'assistant: weather()',
    'weather: r',
    'assistant: y',
  ],
});
