/** One event of a Responses stream, as servers send it: every field may be absent or null. */
export interface ResponsesEvent {
  readonly type?: string | null;
  /** Of an event that is the response itself: that it is one. */
  readonly object?: unknown;
  readonly output_index?: number | null;
  readonly item_id?: string | null;
  /** Some servers name a call so, instead of its item. */
  readonly call_id?: string | null;
  readonly name?: unknown;
  readonly content_index?: number | null;
  readonly summary_index?: number | null;
  readonly delta?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly arguments?: unknown;
  readonly part?: ResponsesPart | null;
  readonly item?: ResponsesItem | null;
  readonly response?: ResponsesAnswer | null;
}

/** A part of what an item says. */
export interface ResponsesPart {
  readonly type?: string | null;
  readonly text?: unknown;
  readonly refusal?: unknown;
}

/** One item of the output: a message, a call, reasoning, or one of the server's own tools. */
export interface ResponsesItem {
  readonly type?: string | null;
  readonly id?: string | null;
  readonly status?: string | null;
  readonly content?: readonly ResponsesPart[] | null;
  readonly summary?: readonly ResponsesPart[] | null;
  readonly phase?: string | null;
  readonly call_id?: string | null;
  readonly name?: string | null;
  readonly arguments?: unknown;
  readonly encrypted_content?: string | null;
}

export interface ResponsesAnswer {
  readonly id?: string | null;
  readonly model?: string | null;
  readonly status?: string | null;
  readonly output?: readonly ResponsesItem[] | null;
  readonly usage?: ResponsesUsage | null;
  readonly error?: unknown;
  readonly incomplete_details?: { readonly reason?: string | null } | null;
}

export interface ResponsesUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly total_tokens?: number | null;
  readonly input_tokens_details?: { readonly cached_tokens?: number | null; readonly cache_write_tokens?: number | null } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}
