/** One event of a stream of server-sent events: each line of its data is a line of its own. */
export function sseText(data: string): string {
  // JSON has no line breaks outside its strings, and escapes those inside.
  return `data: ${/[\r\n]/.test(data) ? data.split(/\r\n|\r|\n/).join('\ndata: ') : data}\n\n`;
}

/** What a proxy and a client must know so that they pass events on as they come. */
const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // nginx would collect the whole answer first.
  'x-accel-buffering': 'no',
};

/** With those of the caller, which win however their names are written. */
export function headersWith(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...sseHeaders, ...Object.fromEntries(own) };
}
