import type { ChatMessage } from './message.ts';
import type { JsonSchema, ToolSpecification } from './tool-specification.ts';

/** Whether the model may, must or must not call tools, or the one tool that it must call. */
export type ToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

/** The form of the answer: free text, or JSON (that fits `schema`, where given). */
export type ResponseFormat =
  { readonly type: 'text' } | { readonly type: 'json'; readonly name?: string; readonly schema?: JsonSchema };

/** How much the model may think before it answers. */
export interface Reasoning {
  /** `none` is no thinking at all. A level that a provider has not is the nearest one that it has. */
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | undefined;
  /** Tokens; 0 is no thinking at all. */
  readonly budget?: number | undefined;
}

/** One question to a model, in the words of no provider. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly toolSpecifications?: readonly ToolSpecification[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  readonly modelName?: string | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly seed?: number | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly reasoning?: Reasoning | undefined;
  /** Merged into the request's body as it is, over everything else. */
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** Everything that a request may hold: for those who check what they are given. */
export const chatRequestOptions: readonly (keyof ChatRequest)[] = [
  'messages',
  'toolSpecifications',
  'toolChoice',
  'responseFormat',
  'modelName',
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'stopSequences',
  'frequencyPenalty',
  'presencePenalty',
  'seed',
  'parallelToolCalls',
  'reasoning',
  'providerOptions',
];
