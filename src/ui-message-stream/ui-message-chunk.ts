import type { CompensationReason } from '../tool/types.ts';

/** Why an answer ended, in the words of the AI SDK. */
export type UiFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** What follows a call by its id. `dynamic`: its part is a `dynamic-tool`, not a `tool-<name>`. */
type ToolChunk =
  | { readonly type: 'tool-input-start'; readonly toolCallId: string; readonly toolName: string; readonly dynamic?: true }
  | { readonly type: 'tool-input-delta'; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: 'tool-input-available';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly dynamic?: true;
    }
  | {
      readonly type: 'tool-input-error';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly errorText: string;
      readonly dynamic?: true;
    }
  | { readonly type: 'tool-approval-request'; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: 'tool-output-available';
      readonly toolCallId: string;
      readonly output: unknown;
      readonly dynamic?: true;
      /** Progress: more follows. */
      readonly preliminary?: true;
    }
  | { readonly type: 'tool-output-error'; readonly toolCallId: string; readonly errorText: string; readonly dynamic?: true }
  | { readonly type: 'tool-output-denied'; readonly toolCallId: string };

// No interface: it would lack the index signature that the AI SDK's type asks for.
/** What a message has beyond the parts that the AI SDK knows; for its `UIMessage<unknown, UiDataParts>`. */
export type UiDataParts = {
  /** All text, reasoning and calls of the step in which this stands are to be dropped: it is asked for again. */
  'round-restarted': { readonly round: number; readonly errorText: string };
  /** What a tool had done was undone, or with an `errorText` could not be. */
  'tool-compensated': {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly reason: CompensationReason;
    readonly errorText?: string;
  };
  /** Transient, for `onData`: the model is asked again in `delay` ms. */
  retry: { readonly attempt: number; readonly delay: number };
  /** The object, where the service has an `output`. */
  output: unknown;
};

type DataChunk = {
  readonly [Name in keyof UiDataParts]: {
    readonly type: `data-${Name}`;
    readonly id?: string;
    readonly data: UiDataParts[Name];
    readonly transient?: true;
  };
}[keyof UiDataParts];

/** One chunk of the UI message stream of the AI SDK, version 6, as far as there is something of ours to tell; plain JSON. */
export type UiMessageChunk =
  | { readonly type: 'start'; readonly messageId?: string }
  | { readonly type: 'start-step' | 'finish-step' }
  | { readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; readonly id: string }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'source-url'; readonly sourceId: string; readonly url: string; readonly title?: string }
  | {
      readonly type: 'source-document';
      readonly sourceId: string;
      readonly mediaType: string;
      readonly title: string;
      readonly filename?: string;
    }
  | ToolChunk
  | DataChunk
  | { readonly type: 'message-metadata'; readonly messageMetadata: unknown }
  | { readonly type: 'finish'; readonly finishReason: UiFinishReason; readonly messageMetadata?: unknown }
  | { readonly type: 'abort' }
  | { readonly type: 'error'; readonly errorText: string };
