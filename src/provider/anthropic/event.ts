/** One event of a Messages stream, as servers send it: every field may be absent or null. */
export interface MessageEvent {
  readonly type?: string | null;
  readonly message?: Message | null;
  readonly index?: number | null;
  readonly content_block?: Block | null;
  readonly delta?: Delta | null;
  readonly usage?: Usage | null;
}

interface Message {
  readonly id?: string | null;
  readonly model?: string | null;
  readonly content?: unknown;
  readonly stop_reason?: string | null;
  readonly usage?: Usage | null;
}

/** A block of an answer, of any type. What it holds beside these fields goes back as it came. */
export interface Block extends Readonly<Record<string, unknown>> {
  readonly type?: string;
  readonly thinking?: unknown;
  readonly signature?: unknown;
}

/** What is new in a block, or, in `message_delta`, in the message. */
export interface Delta extends Readonly<Record<string, unknown>> {
  readonly type?: string;
  readonly text?: string | null;
  readonly thinking?: string | null;
  readonly signature?: string | null;
  readonly partial_json?: unknown;
  readonly citation?: unknown;
  readonly stop_reason?: string | null;
  readonly stop_details?: unknown;
}

export interface Usage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
}
