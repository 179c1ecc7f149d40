import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'A limit of rounds',
  sentence: 'One round of tools is allowed, so the call of the second one does not run any more and the invocation fails.',
  diagram: `
    ms        0          5
    model     -W    |  - N|
              --    -- ^ !
    weather    -    -r |
    news
    events    -(W<w)%*w>w#
  `,
  options: { maxToolCallingRoundTrips: 1 },
  fails: 'ToolRoundTripsExceededError: The model called tools again after 1 round of tool calls; maxToolCallingRoundTrips is 1.',
  memory: ['user: hello', 'assistant: weather()', 'weather: r'],
});
