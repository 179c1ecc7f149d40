import type { ChatRequest } from '../../chat/chat-request.ts';
import { checkKnownOptions, invalidOption } from '../../chat/option-checks.ts';
import { idsByPosition } from './ids-by-position.ts';
import type { Difference } from './json-differences.ts';
import { requestDifferences } from './request-differences.ts';
import { pathMatcher } from './request-path.ts';

/**
 * What may differ between a request and the recorded one: paths into it, such as `temperature`, `messages[0].text` or
 * `messages[system]`, in which `*` stands for any step; or a function that tells whether two requests are the same question.
 */
export type CassetteMatch = { readonly ignore: readonly string[] } | ((came: ChatRequest, recorded: ChatRequest) => boolean);

export interface RequestMatcher {
  matches(came: ChatRequest, recorded: ChatRequest): boolean;
  differences(came: ChatRequest, recorded: ChatRequest): readonly Difference[];
}

/** Throws a `ConfigurationError` for a `match` that is neither. */
export function requestMatcher(where: string, match: CassetteMatch = { ignore: [] }): RequestMatcher {
  const isIgnored = pathMatcher(where, typeof match === 'function' ? [] : ignoredPaths(where, match));
  const differences: RequestMatcher['differences'] = (came, recorded) =>
    requestDifferences(comparable(recorded), comparable(came), isIgnored);
  return {
    differences,
    matches:
      typeof match === 'function'
        ? (came, recorded) => match(comparable(came), comparable(recorded))
        : (came, recorded) => differences(came, recorded).length === 0,
  };
}

function ignoredPaths(where: string, match: { readonly ignore: readonly string[] }): readonly string[] {
  const remedy = 'it must be { ignore: [paths] } or a function of the request and the recorded one';
  if (typeof match !== 'object' || match === null) throw invalidOption(where, 'match', match, remedy);
  checkKnownOptions(`${where}: match`, match, ['ignore']);
  const { ignore } = match;
  if (Array.isArray(ignore) && ignore.every((path) => typeof path === 'string')) return ignore;
  throw invalidOption(where, 'match', match, remedy);
}

function comparable(request: ChatRequest): ChatRequest {
  return { ...request, messages: idsByPosition(request.messages) };
}
