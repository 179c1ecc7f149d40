import { describe, expect, it } from 'vitest';
import { redactor } from '../../src/provider/redact.ts';

describe('redactor', () => {
  it.each([
    ['authorization', 'Bearer sk-live-1234', 'sk-live-1234'],
    ['authorization', 'Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['x-api-key', 'sk-live-1234', 'sk-live-1234'],
    ['x-goog-api-key', 'AIza-1234', 'AIza-1234'],
    ['helicone-auth', 'Bearer hc-1234', 'hc-1234'],
    ['cookie', 'session=abcd1234', 'session=abcd1234'],
    ['x-client-secret', 'very secret', 'very secret'],
    ['x-session-token', 'abcd1234', 'abcd1234'],
    ['cookie', 'theme=dark; session=abcd1234', 'abcd1234'],
    ['authorization', 'Token abcd1234', 'abcd1234'],
    ['authorization', `Basic ${btoa('ada:passw0rd')}`, 'passw0rd'],
    ['x-my-pass', 'abcd1234', 'abcd1234'],
    ['x-api-credential', 'abcd1234', 'abcd1234'],
    ['authorization', 'Bearer correct horse battery', 'correct horse battery'],
    ['x-functions-code', 'abcd1234', 'abcd1234'],
    ['sig', 'abcd1234', 'abcd1234'],
    ['x-jwt', 'abcd1234', 'abcd1234'],
  ])('takes the value of %s out of a text, with its scheme or without', (name, value, secret) => {
    const redact = redactor(new Headers({ [name]: value }));
    expect(redact(`sent ${value}, that is ${secret}${secret}.`)).not.toContain(secret);
  });

  it('takes out a key in the URL, and one in the form that JSON gives it', () => {
    expect(redactor(new Headers(), 'https://x.test/v1?key=sk-live-1234&alt=sse')('no sk-live-1234')).toBe('no [redacted]');
    const quoted = redactor(new Headers({ 'x-api-key': 'live"1234567' }));
    expect(quoted(JSON.stringify({ message: 'live"1234567' }))).toBe('{"message":"[redacted]"}');
  });

  it.each(['sk-a\\/b+c', 'sk-a%2Fb%2Bc', 'sk-a%2fb%2bc'])('takes out a key that is written as %s', (written) => {
    expect(redactor(new Headers({ authorization: 'Bearer sk-a/b+c' }))(`key=${written}.`)).toBe('key=[redacted].');
  });

  it('leaves all other text as it is', () => {
    const redact = redactor(new Headers({ authorization: 'Bearer sk-live-1234', 'content-type': 'application/json' }));
    expect(redact('application/json, please')).toBe('application/json, please');
    expect(redact('key sk-live-1234 is wrong')).toBe('key [redacted] is wrong');
  });

  it('does not tear a text apart for a value that is hardly a secret', () => {
    expect(redactor(new Headers({ authorization: 'Bearer x' }))('an exact text')).toBe('an exact text');
    expect(redactor(new Headers({ authorization: 'Bearer ollama' }))('ollama: no model')).toBe('ollama: no model');
  });
});
