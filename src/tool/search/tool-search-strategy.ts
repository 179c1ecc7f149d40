import type { ToolExecutionRequest } from '../../chat/message.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import type { Value } from '../../chat/value.ts';
import type { InvocationContext } from '../invocation-context.ts';
import type { ToolContext } from '../types.ts';

/** One search by the model. */
export interface ToolSearchRequest {
  /** The call of the search tool, as the model wrote it. */
  readonly request: ToolExecutionRequest;
  /** The tools that are not always visible, those that were found before among them. */
  readonly searchableTools: readonly ToolSpecification[];
  readonly context: ToolContext;
}

export interface ToolSearchResult {
  /** The names of the tools that the model sees from now on, best first. */
  readonly names: readonly string[];
  /** What the model is told; by default a list of the names. */
  readonly text?: string;
}

/**
 * Lets the model look for tools, so that requests need not describe them all: at first it sees the search tools and those
 * that are always visible, and after a search also what was found.
 */
export interface ToolSearchStrategy {
  /** The tools by which the model searches, as it sees them; asked once per invocation. */
  searchTools(context: InvocationContext): readonly ToolSpecification[];
  /** Runs a call of one of them. What it throws is treated as the error of any other tool. */
  search(request: ToolSearchRequest): Value<ToolSearchResult>;
}
