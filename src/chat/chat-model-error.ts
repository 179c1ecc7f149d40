/** What went wrong between us and the model. */
export type ChatModelErrorKind =
  | 'authentication'
  | 'permission'
  | 'rateLimit'
  | 'invalidRequest'
  | 'notFound'
  | 'overloaded'
  | 'contentFilter'
  | 'server'
  | 'network'
  | 'interrupted'
  | 'timeout'
  | 'malformedResponse';

export interface ChatModelErrorDetails {
  readonly kind: ChatModelErrorKind;
  readonly provider: string;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** The provider's id of the request, to quote in a support case. */
  readonly requestId?: string;
  /** Whether the same request may succeed when it is sent again. */
  readonly retryable: boolean;
  /** How long the provider asks to wait before the next try, in ms. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A model's request failed. The message holds the provider's own words, never a key or a header that was sent. */
export class ChatModelError extends Error {
  override readonly name = 'ChatModelError';
  readonly kind: ChatModelErrorKind;
  readonly provider: string;
  // Declared, not defined: what the provider did not tell is no property of the error.
  declare readonly status?: number;
  declare readonly requestId?: string;
  declare readonly retryAfter?: number;
  readonly retryable: boolean;

  constructor(message: string, { kind, provider, status, requestId, retryable, retryAfter, cause }: ChatModelErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.provider = provider;
    this.retryable = retryable;
    if (status !== undefined) this.status = status;
    if (requestId !== undefined) this.requestId = requestId;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}
