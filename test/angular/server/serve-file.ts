import { createReadStream, existsSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Answers with a file of the folder; every other path is a page of the app, which knows what to show there. */
export function serveFile(folder: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405).end();
    return;
  }
  const path = normalize(pathOf(request.url));
  const isFile = extname(path) in types && existsSync(join(folder, path)) && statSync(join(folder, path)).isFile();
  const file = join(folder, isFile ? path : 'index.html');
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    // The drawing is an image in a data URL, and styles are put in by Angular; nothing else comes from elsewhere.
    'content-security-policy': "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'",
  });
  createReadStream(file).pipe(response);
}

/** Never a path out of the folder. */
function pathOf(url = '/'): string {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return '/';
  }
}
