import type { CallToolResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { resultContents } from '../../src/mcp/result-contents.ts';

const contentOf = (block: unknown) => resultContents({ content: [block] } as CallToolResult)[0];
const blob = (mimeType: string | undefined, bytes: string) =>
  contentOf({ type: 'resource', resource: { uri: 'file:///a/b.x', ...(mimeType && { mimeType }), blob: btoa(bytes) } });

describe('what the model gets of a result', () => {
  it('is text and media as they are', () => {
    expect(contentOf({ type: 'text', text: '' })).toEqual({ type: 'text', text: '' });
    expect(contentOf({ type: 'image', data: 'aa', mimeType: 'image/png' })).toEqual({
      type: 'image',
      data: 'aa',
      mediaType: 'image/png',
    });
    expect(contentOf({ type: 'audio', data: 'aa', mimeType: 'audio/wav' })).toEqual({
      type: 'audio',
      data: 'aa',
      mediaType: 'audio/wav',
    });
  });

  it('is a resource by what its bytes are', () => {
    expect(contentOf({ type: 'resource', resource: { uri: 'a', text: 'hello' } })).toEqual({ type: 'text', text: 'hello' });
    expect(blob('image/PNG', 'x')).toEqual({ type: 'image', data: btoa('x'), mediaType: 'image/png' });
    expect(blob('video/mp4', 'x')).toEqual({ type: 'video', data: btoa('x'), mediaType: 'video/mp4' });
    expect(blob('application/pdf', 'x')).toEqual({ type: 'pdf', data: btoa('x'), mediaType: 'application/pdf', name: 'b.x' });
    expect(blob('application/ld+json; charset=utf-8', '{}')).toEqual({ type: 'text', text: '{}' });
    expect(blob('text/plain', '\xff')).toEqual({ type: 'text', text: '[resource file:///a/b.x: text/plain, 3 bytes]' });
    expect(blob('application/gzip', 'xyz')).toEqual({
      type: 'text',
      text: '[resource file:///a/b.x: application/gzip, 3 bytes]',
    });
    expect(blob(undefined, 'xyz')).toEqual({ type: 'text', text: '[resource file:///a/b.x: application/octet-stream, 3 bytes]' });
  });

  it('is a line for what is only linked to', () => {
    const link = { type: 'resource_link', name: 'log', uri: 'file:///log', mimeType: 'text/plain', description: 'Of today.' };
    expect(contentOf(link)).toEqual({ type: 'text', text: '[resource log: file:///log (text/plain)] Of today.' });
  });

  it('is JSON for what a later revision adds', () => {
    expect(contentOf({ type: 'hologram', depth: 3 })).toEqual({ type: 'text', text: '{"type":"hologram","depth":3}' });
  });

  it.each([
    [{}, 'Success'],
    [{ structuredContent: { a: 0 } }, '{"a":0}'],
    [{ structuredContent: false as never }, 'false'],
  ])('is the structure where there is no content: %j', (rest, text) => {
    expect(resultContents({ content: [], ...rest })).toEqual([{ type: 'text', text }]);
  });
});
