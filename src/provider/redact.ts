const secretHeader = /auth|key|token|secret|cookie/i;

/** Takes the values of secret headers out of a text: servers quote what they were sent. */
export function redactor(headers: Headers): (text: string) => string {
  const secrets = [...headers]
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value, value.replace(/^(Bearer|Basic) /i, '')])
    .filter((value) => value.length >= 4);
  return (text) => secrets.reduce((result, secret) => result.replaceAll(secret, '[redacted]'), text);
}
