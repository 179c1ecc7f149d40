import { ConfigurationError } from '../../chat/configuration-error.ts';
import { chatRequestOptions } from '../../chat/chat-request.ts';

/** A step into a request. A message is known by its place and its role; a tool by its name. */
type PathStep = string | number | { readonly place: number; readonly role: string };

export type RequestPath = readonly PathStep[];

/** As in `messages[2].contents[0].text`, which `match.ignore` takes. */
export function pathText(path: RequestPath): string {
  return path
    .map((step, i) => {
      if (typeof step === 'object') return `[${step.place}]`;
      if (typeof step === 'string' && /^[\w$-]+$/.test(step) && path[i - 1] !== 'toolSpecifications')
        return i ? `.${step}` : step;
      return `[${step}]`;
    })
    .join('');
}

/** The role of the message that the path leads into. */
export function roleOf(path: RequestPath): string | undefined {
  const message = path[1];
  return typeof message === 'object' ? message.role : undefined;
}

/**
 * Whether a path, or one above it, is among the patterns: paths in which `*` stands for any step, and a message may be known by
 * its role, as in `messages[system].text`. Throws a `ConfigurationError` for a pattern that nothing in a request can fit.
 */
export function pathMatcher(where: string, patterns: readonly string[]): (path: RequestPath) => boolean {
  const parsed = patterns.map((pattern) => stepsOf(where, pattern));
  return (path) => parsed.some((steps) => steps.length <= path.length && steps.every((step, i) => fits(step, path[i]!)));
}

function fits(pattern: string, step: PathStep): boolean {
  if (pattern === '*') return true;
  return typeof step === 'object' ? pattern === String(step.place) || pattern === step.role : pattern === String(step);
}

function stepsOf(where: string, pattern: string): readonly string[] {
  const steps = Array.from(pattern.matchAll(/\[([^[\]]*)\]|[^.[\]]+/g), ([whole, bracketed]) => bracketed ?? whole);
  const known: readonly string[] = ['*', ...chatRequestOptions];
  if (steps.length > 0 && known.includes(steps[0]!)) return steps;
  const settings = chatRequestOptions.join(', ');
  throw new ConfigurationError(
    `${where}: match.ignore has ${JSON.stringify(pattern)}, which is no path into a request; it must begin with one of ${settings}.`,
  );
}
