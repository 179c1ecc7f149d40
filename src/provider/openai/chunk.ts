/** One chunk of a chat-completions stream, as servers send it: every field may be absent or null. */
export interface Chunk {
  readonly id?: string | null;
  readonly model?: string | null;
  readonly choices?: readonly Choice[] | null;
  readonly usage?: Usage | null;
  readonly x_groq?: { readonly usage?: Usage | null; readonly error?: unknown } | null;
  readonly error?: unknown;
  readonly object?: string | null;
  readonly type?: string | null;
  readonly message?: string | null;
  readonly detail?: unknown;
  /** MiniMax's status. */
  readonly base_resp?: { readonly status_code?: unknown } | null;
}

export interface Choice {
  readonly index?: number | null;
  readonly delta?: Delta | null;
  /** What servers send that do not stream. */
  readonly message?: Delta | null;
  readonly error?: unknown;
  readonly finish_reason?: string | null;
  /** The model's own word, as OpenRouter passes it on. */
  readonly native_finish_reason?: unknown;
  readonly usage?: Usage | null;
}

export interface Delta {
  readonly content?: string | readonly ContentPart[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_details?: readonly unknown[] | null;
  readonly tool_calls?: readonly (ToolCall | null)[] | null;
  readonly function_call?: FunctionCall | null;
}

/** Some servers send the content in parts, thinking among them. */
export interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: string | readonly ContentPart[];
}

export interface ToolCall {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: FunctionCall | null;
  readonly extra_content?: unknown;
}

interface FunctionCall {
  readonly name?: string | null;
  /** JSON text, or by some servers the object itself. */
  readonly arguments?: unknown;
}

export interface Usage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly total_tokens?: number | null;
  /** DeepSeek's name for the cached ones. */
  readonly prompt_cache_hit_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}
