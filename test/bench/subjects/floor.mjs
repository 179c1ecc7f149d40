// The floor: what anybody would write by hand. fetch, eventsource-parser, JSON.parse and a loop; it starts a tool as soon as
// the next call begins. Its requests can be stopped. No validation of arguments, no events, no limits, no memory, no errors.
import { createParser } from 'eventsource-parser';

export function subject({ baseUrl, fetch = globalThis.fetch, tools }) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const declared = tools.map(({ name, description, jsonSchema }) => ({
    type: 'function',
    function: { name, description, parameters: jsonSchema },
  }));

  return async (onText, { signal } = new AbortController()) => {
    const messages = [{ role: 'user', content: 'go' }];
    for (;;) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        signal,
        headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
        body: JSON.stringify({ model: 'bench', messages, stream: true, tools: declared.length ? declared : undefined }),
      });
      if (!response.ok) throw new Error(await response.text());
      let text = '';
      let hasLeft = false;
      const calls = [];
      const running = [];
      const start = (call) => {
        const content = byName.get(call.function.name).execute(JSON.parse(call.function.arguments));
        running.push(content.then((content) => ({ role: 'tool', tool_call_id: call.id, content })));
      };
      const parser = createParser({
        onEvent({ data }) {
          if (data === '[DONE]') return;
          const delta = JSON.parse(data).choices[0]?.delta;
          if (delta?.content) {
            text += delta.content;
            if (onText(delta.content) === false) hasLeft = true;
          }
          for (const { index, id, function: part } of delta?.tool_calls ?? []) {
            if (calls[index]) calls[index].function.arguments += part.arguments;
            else {
              if (index > 0) start(calls[index - 1]);
              calls[index] = { id, type: 'function', function: { name: part.name, arguments: part.arguments } };
            }
          }
        },
      });
      const decoder = new TextDecoder();
      const reader = response.body.getReader();
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
        parser.feed(decoder.decode(chunk.value, { stream: true }));
        if (hasLeft) return reader.cancel();
      }
      if (calls.length === 0) return text;
      start(calls.at(-1));
      messages.push({ role: 'assistant', content: text || null, tool_calls: calls }, ...(await Promise.all(running)));
    }
  };
}
