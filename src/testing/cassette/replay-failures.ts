import type { ChatRequest } from '../../chat/chat-request.ts';
import type { CassetteExchange } from './cassette.ts';
import { differencesText } from './difference-text.ts';
import type { Picked } from './exchange-picker.ts';
import type { Difference } from './json-differences.ts';
import type { RequestMatcher } from './match-request.ts';
import { drawRequest } from './request-drawing.ts';
import { pathText, roleOf } from './request-path.ts';

/** The messages of a replay that can't go on; each ends with what to do. */
export interface ReplayFailures {
  of(number: number, came: ChatRequest, pick: Exclude<Picked, { readonly found: number }>): string;
  noMore(place: number, at: number): string;
}

const anew = 'record the cassette anew';

export function replayFailures(
  name: string,
  exchanges: readonly CassetteExchange[],
  { differences }: RequestMatcher,
): ReplayFailures {
  /** Compared with the recorded request that is most like it: of concurrent ones the next need not be the one that is meant. */
  const differing = (number: number, came: ChatRequest, left: readonly number[]) => {
    const compared = left.map((place) => ({ place, found: differences(came, exchanges[place]!.request) }));
    const { place, found } = compared.reduce((best, other) => (other.found.length < best.found.length ? other : best));
    if (found.length === 0)
      return `${name}: request ${number} is like recorded request ${place + 1}, but match refuses it; correct match, or ${anew}.`;
    return `${name}: request ${number} is not recorded request ${place + 1}:\n${differencesText(found)}\n${remedy(found)}`;
  };
  return {
    of(number, came, pick) {
      if ('outOfTurn' in pick) {
        const { outOfTurn, before } = pick;
        return (
          `${name}: request ${number} is recorded request ${outOfTurn + 1}, but recorded request ${before + 1} has not come yet:\n` +
          `${drawRequest(exchanges[before]!.request)}\nAsk in the recorded order, or ${anew}.`
        );
      }
      if (pick.left.length > 0) return differing(number, came, pick.left);
      const count = exchanges.length === 1 ? 'one answer' : `${exchanges.length} answers`;
      return `${name}: it has ${count}, and this is request ${number}:\n${drawRequest(came)}\nAsk no more than was recorded, or ${anew}.`;
    },
    noMore: (place, at) =>
      `${name}: the answer to recorded request ${place + 1} was left by its consumer after ${at} ms, and there is no more of it; ` +
      `leave it by then, or ${anew}.`,
  };
}

function remedy(differences: readonly Difference[]): string {
  const setting = differences.find(({ path }) => path.length !== 2 || roleOf(path) === undefined);
  const path = setting && pathText(setting.path);
  const ignoring = path && `, or name what may differ, as in match: { ignore: [${JSON.stringify(path).replaceAll('"', "'")}] }`;
  return `Record the cassette anew${ignoring ?? ''}.`;
}
