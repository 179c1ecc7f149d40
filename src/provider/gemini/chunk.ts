/** One chunk of a stream, as servers send it: every field may be absent or null. */
export interface Chunk {
  readonly candidates?: readonly (Candidate | null)[] | null;
  readonly promptFeedback?: { readonly blockReason?: string | null } | null;
  readonly usageMetadata?: Usage | null;
  readonly modelVersion?: string | null;
  readonly responseId?: string | null;
}

export interface Candidate {
  readonly index?: number | null;
  readonly content?: { readonly parts?: readonly (Part | null)[] | null } | null;
  readonly finishReason?: string | null;
  readonly finishMessage?: string | null;
}

export interface Part {
  readonly text?: string | null;
  /** Whether it is a thought of the model, and no answer. */
  readonly thought?: boolean | null;
  readonly thoughtSignature?: string | null;
  readonly functionCall?: FunctionCall | null;
}

export interface FunctionCall {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly args?: unknown;
  /** Ours, and never on the wire: the arguments as the server wrote them, where parsing may have changed a long number. */
  readonly written?: string;
  /** Vertex AI only, when it was asked for: the arguments value by value. */
  readonly partialArgs?: readonly (PartialArgument | null)[] | null;
  /** Whether more of this call comes. */
  readonly willContinue?: boolean | null;
}

/** One value of the arguments, or a piece of a text among them. */
export interface PartialArgument {
  readonly jsonPath?: string | null;
  /** Whether more of this text comes. */
  readonly willContinue?: boolean | null;
  readonly [value: `${string}Value`]: unknown;
}

export interface Usage {
  readonly promptTokenCount?: number | null;
  readonly candidatesTokenCount?: number | null;
  readonly thoughtsTokenCount?: number | null;
  readonly totalTokenCount?: number | null;
  readonly cachedContentTokenCount?: number | null;
}
