import * as z from 'zod';
import { spec } from '../test/marbles/spec.ts';

export default spec({
  title: 'In a token stream arguments that can not be used fail it',
  sentence: 'What `stream` tells the model, `tokenStream` tells its `onError`: the defaults of the two are not the same.',
  diagram: `
    ms        0
    model     -W     -|
    weather
    events    -(<w>w)-(%#)
  `,
  call: 'tokenStream',
  calls: { W: { arguments: { city: 7 } } },
  tools: { weather: { parameters: z.object({ city: z.string() }) } },
  fails:
    "ToolArgumentsError: The arguments of weather don't fit its parameters:\n- city: Invalid input: expected string, received number; got 7",
  memory: [],
});
