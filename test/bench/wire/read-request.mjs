// What the messages of a request say: which round it is, and what the results of the tools come to. It is as strict as an API: a
// call that was changed, a result that is missing, wrong or out of its place is `wrong`.
import { numberOf, resultOf } from './script.mjs';

const numberOfId = (id) => {
  const [, round, index] = String(id).split('_').map(Number);
  return numberOf(round, index);
};

function isCalledRightly({ id, function: called }) {
  return called.name === 'work' && JSON.parse(called.arguments).i === numberOfId(id);
}

/** The number in the content of a tool's message, however a library wraps it. */
const resultIn = (content) => Number(/result (\d+)/.exec(JSON.stringify(content))?.[1]);

export function readRequest(body, what) {
  const { messages } = JSON.parse(body);
  const open = new Set();
  const problems = [];
  let round = 0;
  let sum = 0;
  for (const message of messages) {
    if (message.role === 'tool') {
      const id = message.tool_call_id;
      const result = resultIn(message.content);
      if (!open.delete(id)) problems.push(`a result of ${id}, which is not open`);
      else if (result !== resultOf(numberOfId(id))) problems.push(`a wrong result of ${id}`);
      sum += result;
      continue;
    }
    if (open.size > 0) problems.push(`no result of ${[...open].join(', ')}`);
    open.clear();
    if (!message.tool_calls?.length) continue;
    round++;
    if (message.tool_calls.length !== what.calls) problems.push(`${message.tool_calls.length} calls instead of ${what.calls}`);
    for (const call of message.tool_calls) {
      if (!isCalledRightly(call)) problems.push(`a changed call ${call.id}`);
      open.add(call.id);
    }
  }
  if (open.size > 0) problems.push(`no result of ${[...open].join(', ')}`);
  return { round, sum, wrong: problems.join('; ') };
}
