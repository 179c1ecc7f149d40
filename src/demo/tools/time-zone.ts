const regions = [...new Set(Intl.supportedValuesOf('timeZone').map((zone) => zone.slice(0, zone.lastIndexOf('/') + 1)))];

/** The time zone that is named after a city, such as Asia/Tokyo for Tokyo; a zone's own name will do as well. */
export function timeZoneOf(city: string): string | undefined {
  const name = city.trim().normalize('NFD').replace(/\p{M}/gu, '').replace(/\s+/g, '_');
  return ['', ...regions].map((region) => knownZone(region + name)).find((zone) => zone !== undefined);
}

function knownZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
