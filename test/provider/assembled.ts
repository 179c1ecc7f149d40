import type { ChatModelEvent } from '../../src/chat/chat-model.ts';
import type { ToolExecutionRequest } from '../../src/chat/message.ts';
import type { ToolCallFragment } from '../../src/provider/open-call.ts';
import { toolCallAssembler } from '../../src/provider/tool-call-assembler.ts';

/** What a wire tells: a piece of a call, the begin of something else, or the end of the turn, which may be a cut. */
export type Step = ToolCallFragment | 'block' | 'finish' | 'cut';

export interface Assembled {
  readonly events: readonly ChatModelEvent[];
  readonly requests: readonly ToolExecutionRequest[];
  /** The calls that went on though they were complete. */
  readonly conflicts: readonly string[];
}

/** What becomes of these steps. Made-up ids are `made-1`, `made-2`, … */
export function assembled(steps: readonly Step[]): Assembled {
  const events: ChatModelEvent[] = [];
  const conflicts: string[] = [];
  let made = 0;
  const assembler = toolCallAssembler({
    emit: (event) => events.push(event),
    idGenerator: () => `made-${++made}`,
    attributes: () => undefined,
    onOpen: () => undefined,
    onConflict: (name) => conflicts.push(name),
  });
  for (const step of steps) {
    if (step === 'block') assembler.blockBegan();
    else if (step === 'cut') assembler.end(true);
    else if (step === 'finish') {
      assembler.finish();
      assembler.end(false);
    } else assembler.fragment(step);
  }
  return { events, requests: assembler.requests(), conflicts };
}

/** The calls that were handed over as complete, in that order. */
export function completed(steps: readonly Step[]): readonly ToolExecutionRequest[] {
  return assembled(steps).events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request] : []));
}

/** Events as lines: `0 add call_1 {"a"` for a piece and `0 add call_1 {"a":1} !` for a complete call. */
export function lines(steps: readonly Step[]): readonly string[] {
  return assembled(steps).events.map((event) => {
    if (event.type === 'partialToolCall') return `${event.index} ${event.name} ${event.id} ${event.partialArguments}`;
    if (event.type !== 'completeToolCall') return event.type;
    const { name, id, arguments: text } = event.request;
    return `${event.index} ${name} ${id} ${text} !`;
  });
}
