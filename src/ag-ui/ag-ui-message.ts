/** Where the bytes of a part are: here in base64, behind a URL, or at the provider. */
export type AgUiSource =
  | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
  | { readonly type: 'url'; readonly value: string; readonly mimeType?: string }
  | { readonly type: 'file'; readonly value: string; readonly provider?: string; readonly mimeType?: string };

/** One part of a message: text or media. */
export type AgUiPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio' | 'video' | 'document'; readonly source: AgUiSource };

export interface AgUiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Base {
  readonly id: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** One message of a thread, as AG-UI 1.0 has it. */
export type AgUiMessage = Base &
  (
    | { readonly role: 'developer' | 'system' | 'reasoning'; readonly content: string }
    | { readonly role: 'user'; readonly content: string | readonly AgUiPart[] }
    | { readonly role: 'assistant'; readonly content?: string; readonly toolCalls?: readonly AgUiToolCall[] }
    | {
        readonly role: 'tool';
        readonly toolCallId: string;
        readonly content: string | readonly AgUiPart[];
        readonly error?: string;
      }
    | { readonly role: 'activity'; readonly activityType: string; readonly content: Readonly<Record<string, unknown>> }
  );
