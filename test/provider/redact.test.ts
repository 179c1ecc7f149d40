import { describe, expect, it } from 'vitest';
import { redactor } from '../../src/provider/redact.ts';

describe('redactor', () => {
  it.each([
    ['authorization', 'Bearer sk-live-1234', 'sk-live-1234'],
    ['authorization', 'Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['x-api-key', 'sk-live-1234', 'sk-live-1234'],
    ['x-goog-api-key', 'AIza-1234', 'AIza-1234'],
    ['helicone-auth', 'Bearer hc-1234', 'hc-1234'],
    ['cookie', 'session=abcdef', 'session=abcdef'],
    ['x-client-secret', 'very secret', 'very secret'],
    ['x-session-token', 'abcdef', 'abcdef'],
  ])('takes the value of %s out of a text, with its scheme or without', (name, value, secret) => {
    const redact = redactor(new Headers({ [name]: value }));
    expect(redact(`sent ${value}, that is ${secret}${secret}.`)).not.toContain(secret);
  });

  it('leaves all other text as it is', () => {
    const redact = redactor(new Headers({ authorization: 'Bearer sk-live-1234', 'content-type': 'application/json' }));
    expect(redact('application/json, please')).toBe('application/json, please');
    expect(redact('key sk-live-1234 is wrong')).toBe('key [redacted] is wrong');
  });

  it('does not tear a text apart for a value that is hardly a secret', () => {
    expect(redactor(new Headers({ authorization: 'Bearer x' }))('an exact text')).toBe('an exact text');
  });
});
