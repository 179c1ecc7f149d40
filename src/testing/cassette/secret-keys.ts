import { redacted } from './redaction.ts';

const secretWord =
  /(key|token|secret|passw(or)?d|passphrase|credential|cookie|auth|authorization|authentication|bearer|jwt|header)s?$/i;

/** Whether a property of this name is likely to hold a secret: `apiKey`, `authorization_token`, `headers`. */
export function isSecretKey(key: string): boolean {
  return key.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).some((word) => secretWord.test(word));
}

/** A copy of JSON without what stands under such names. Numbers stay: `max_tokens` is no secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => {
    const isSecret = isSecretKey(key) && (typeof item === 'string' || (typeof item === 'object' && item !== null));
    return [key, isSecret ? redacted : withoutSecrets(item)] as const;
  });
  return Object.fromEntries(entries);
}
