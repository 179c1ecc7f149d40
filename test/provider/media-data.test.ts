import { describe, expect, it } from 'vitest';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { dataUrl, mediaData, mediaType } from '../../src/provider/media-data.ts';

const api = { provider: 'acme', api: 'Acme API' };

describe('media for an API that takes bytes', () => {
  it('are the data', () => {
    expect(mediaData(api, { type: 'image', data: 'AAAA' })).toBe('AAAA');
    expect(mediaData(api, { type: 'audio', data: 'AAAA', url: 'https://x.test/a.wav' })).toBe('AAAA');
  });

  it.each([
    ['an image', 'image'],
    ['audio', 'audio'],
    ['video', 'video'],
    ['a PDF', 'pdf'],
  ] as const)('are refused as %s by url, with the remedy', (name, type) => {
    const send = () => mediaData(api, { type, url: 'https://x.test/secret' });
    expect(send).toThrow(ChatModelError);
    expect(send).toThrow(`acme: the Acme API does not take ${name} by url: send its data.`);
  });

  it('are refused without data and url', () => {
    expect(() => mediaData(api, { type: 'image', mediaType: 'image/png' })).toThrow(
      'acme: the Acme API does not take media without data and url: set one of them.',
    );
  });

  it('have the type that is told, and a PDF its own', () => {
    expect(mediaType(api, { type: 'image', data: 'AAAA', mediaType: 'image/png' })).toBe('image/png');
    expect(mediaType(api, { type: 'pdf', data: 'AAAA' })).toBe('application/pdf');
    expect(mediaType(api, { type: 'pdf', data: 'AAAA', mediaType: 'x/y' })).toBe('application/pdf');
  });

  it.each([[undefined], ['']])('are refused without a type (%j)', (mediaTypeTold) => {
    const content = { type: 'image', data: 'AAAA', ...(mediaTypeTold !== undefined && { mediaType: mediaTypeTold }) } as const;
    expect(() => mediaType(api, content)).toThrow('does not take data without a mediaType: set mediaType, as in image/png.');
    expect(() => dataUrl(api, content)).toThrow(ChatModelError);
  });

  it('are a data URL where that is asked for', () => {
    expect(dataUrl(api, { type: 'image', data: 'AAAA', mediaType: 'image/png' })).toBe('data:image/png;base64,AAAA');
    expect(dataUrl(api, { type: 'pdf', data: 'AAAA' })).toBe('data:application/pdf;base64,AAAA');
  });
});
