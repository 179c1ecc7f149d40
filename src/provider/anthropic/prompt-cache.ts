import { checkFlag, checkKnownOptions, invalidOption } from '../../chat/option-checks.ts';

/** Up to where the API keeps what it has read of a request; places that are not named are left out, if any is. */
export interface CacheControl {
  readonly system?: boolean;
  readonly tools?: boolean;
  readonly lastMessage?: boolean;
  /** How long it is kept after the last use: 5 minutes by default. */
  readonly ttl?: '5m' | '1h';
}

type CachedPlace = 'system' | 'tools' | 'lastMessage';

/** What is set into the last block of each place, as JSON text. */
export type CacheMarks = Readonly<Partial<Record<CachedPlace, string>>>;

const places: readonly CachedPlace[] = ['system', 'tools', 'lastMessage'];

/** Throws a `ConfigurationError` on an option that can't work. */
export function cacheMarks(where: string, option: boolean | CacheControl | undefined): CacheMarks {
  if (option === undefined || option === false) return {};
  const asked: CacheControl = option === true ? {} : option;
  if (typeof asked !== 'object' || asked === null) {
    throw invalidOption(where, 'cacheControl', option, 'it must be true, false or an object that names the places');
  }
  checkKnownOptions(`${where}: cacheControl`, asked, [...places, 'ttl']);
  for (const place of places) checkFlag(where, `cacheControl.${place}`, asked[place]);
  const { ttl } = asked;
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h')
    throw invalidOption(where, 'cacheControl.ttl', ttl, "it must be '5m' or '1h'");
  const isAll = places.every((place) => asked[place] === undefined);
  const mark = `,"cache_control":${JSON.stringify({ type: 'ephemeral', ...(ttl && { ttl }) })}`;
  return Object.fromEntries(places.filter((place) => isAll || asked[place]).map((place) => [place, mark]));
}

/** The JSON of blocks with the mark in the last one; `closing` is what stands behind that block's last field. */
export function marked(json: string, closing: string, mark: string | undefined): string {
  return mark && json.endsWith(closing) ? `${json.slice(0, -closing.length)}${mark}${closing}` : json;
}
