import { ChatModelError, InvocationCancelledError, type ChatModelErrorKind } from '../index.ts';

/** How the program ends when it does not end well. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

/** What to look at, by what went wrong. */
const hints: Partial<Record<ChatModelErrorKind, string>> = {
  authentication: 'Is OPENAI_API_KEY right?',
  permission: 'May this OPENAI_API_KEY use this model?',
  notFound: 'Are OPENAI_MODEL and OPENAI_BASE_URL right?',
  network: 'Is OPENAI_BASE_URL right, and does the server run?',
};

/** One line for the user, and the exit code; 130 is the shell's for Ctrl-C. */
export function failure(error: unknown): Failure {
  if (error instanceof InvocationCancelledError) return { message: 'cancelled', exitCode: 130 };
  const message = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').replace(/\.$/, '');
  const hint = error instanceof ChatModelError ? hints[error.kind] : undefined;
  return { message: `error: ${message}.${hint ? ` ${hint}` : ''}`, exitCode: 1 };
}
