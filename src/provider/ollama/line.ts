/** One line of a chat stream, as servers send it: every field may be absent or null. */
export interface Line {
  readonly model?: string | null;
  readonly message?: LineMessage | null;
  readonly done?: boolean | null;
  readonly done_reason?: string | null;
  readonly prompt_eval_count?: number | null;
  readonly eval_count?: number | null;
}

export interface LineMessage {
  readonly content?: string | null;
  readonly thinking?: string | null;
  readonly tool_calls?: readonly (LineCall | null)[] | null;
}

/** A call comes whole. Its `function.index` is not read: older servers give every call the index 0. */
export interface LineCall {
  /** Told by newer servers only. */
  readonly id?: string | null;
  readonly function?: {
    readonly name?: string | null;
    /** An object, or JSON text where the model wrote it so. */
    readonly arguments?: unknown;
    /** Ours, and never on the wire: the arguments as the server wrote them, where parsing may have changed a long number. */
    readonly written?: string;
  } | null;
}
