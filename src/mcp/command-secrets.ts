import type { McpCommand } from './mcp-client-options.ts';

const secretName = /key|token|secret|pass|auth|credential/i;

/** Words such as `production` or `8080` are no secrets, unless they are called one. */
const plain = /^(.{0,3}|[a-z]{4,10}|\d{4,8})$/i;

/**
 * What may be secret of how a program is started, the longest first: values of its environment and of `--x=value`, what follows a flag
 * such as `--api-key`, and passwords in addresses.
 */
export function commandSecrets({ args = [], env = {} }: McpCommand): readonly string[] {
  const ofEnv = Object.entries(env).filter(([name, value]) => isSecret(name, value));
  const ofArgs = args.flatMap((arg, place) => [
    ...[/^([\w.-]+)=(.+)$/s.exec(arg)].flatMap((match) => (match ? [[match[1]!, match[2]!] as const] : [])),
    ...[/\/\/([^/@:\s]*:)([^/@\s]+)@/.exec(arg)].flatMap((match) => (match ? [['password', match[2]!] as const] : [])),
    ...(arg.startsWith('-') && secretName.test(arg) && args[place + 1] !== undefined ? [[arg, args[place + 1]!] as const] : []),
  ]);
  const values = [...ofEnv, ...ofArgs.filter(([name, value]) => isSecret(name, value))].map(([, value]) => value);
  const forms = values.flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

function isSecret(name: string, value: string): boolean {
  return value.length > 3 && (secretName.test(name) || !plain.test(value));
}
