import { textOf } from '../../chat/content.ts';
import type { ToolExecutionResultMessage } from '../../chat/message.ts';
import { onceFor } from '../once-for.ts';
import { wireJson } from '../wire-json.ts';
import { geminiName } from './gemini-api.ts';
import { mediaPart, type Media } from './media-part.ts';

/** The result of a tool as this API takes it. */
export interface ToolResult {
  /** The result with the id that the provider gave the call, as JSON text of a part. */
  part(providerId: string | undefined): string;
  /** What comes behind the results, as JSON text of parts; empty when it is all within. */
  readonly behind: string;
}

/** A result, for models that take media within it and for those that do not. */
export const toolResult = {
  nested: onceFor((message: ToolExecutionResultMessage) => rendered(message, nestable)),
  flat: onceFor((message: ToolExecutionResultMessage) => rendered(message, () => false)),
};

/** Pictures and documents alone are taken within a result. */
const nestable = ({ type }: Media): boolean => type === 'image' || type === 'pdf';

function rendered({ toolName, contents, isError }: ToolExecutionResultMessage, isNested: (media: Media) => boolean): ToolResult {
  const media = contents.filter((content) => content.type !== 'text');
  const inner = media.filter(isNested).map(mediaPart);
  const outer = media.filter((content) => !isNested(content)).map(mediaPart);
  const fields = wireJson({
    name: geminiName(toolName),
    // Text as the tool gave it: an object would lose long numbers, and hold the words `output` and `error` of its own.
    response: { [isError ? 'error' : 'output']: textOf(contents) },
    ...(inner.length > 0 && { parts: inner }),
  }).slice(1);
  const behind = outer.length > 0 ? [{ text: `What tool ${toolName} returned beside its result:` }, ...outer] : [];
  return {
    part: (id) => `{"functionResponse":{${id === undefined ? '' : `"id":${wireJson(id)},`}${fields}}`,
    behind: behind.map((part) => wireJson(part)).join(','),
  };
}
