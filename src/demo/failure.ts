import { ChatModelError, InvocationCancelledError, type ChatModelErrorKind } from '../index.ts';
import { printable } from './printable.ts';
import { providers, type DemoProvider } from './providers.ts';

/** How the program ends when it does not end well. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

/** What to look at, by what went wrong; in the words of the provider's own variables. */
const hints: Partial<Record<ChatModelErrorKind, (provider: DemoProvider) => string>> = {
  authentication: ({ keys }) => `Is ${keys[0]} right?`,
  permission: ({ keys }) => `May this ${keys[0]} use this model?`,
  notFound: ({ modelName, url }) => `Are ${modelName} and ${url} right?`,
  network: ({ url }) => `Is ${url} right, and does the server run?`,
};

/** One line for the user, and the exit code; 130 is the shell's for Ctrl-C. */
export function failure(error: unknown): Failure {
  if (error instanceof InvocationCancelledError) return { message: 'cancelled', exitCode: 130 };
  const message = printable(error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
  const hint = error instanceof ChatModelError ? hintOf(error) : undefined;
  return { message: `error: ${message}.${hint ? ` ${hint}` : ''}`, exitCode: 1 };
}

function hintOf({ kind, provider }: ChatModelError): string | undefined {
  const known = Object.hasOwn(providers, provider) ? providers[provider]! : undefined;
  return known && hints[kind]?.(known);
}
