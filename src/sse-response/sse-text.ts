/** One event of a stream of server-sent events. JSON has no line breaks outside its strings, so one line of data is enough. */
export function sseText(data: string): string {
  return `data: ${data}\n\n`;
}

/** What a proxy and a client must know so that they pass events on as they come. */
export const sseHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  connection: 'keep-alive',
  // nginx would collect the whole answer first.
  'x-accel-buffering': 'no',
};
