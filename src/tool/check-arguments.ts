import { $ZodAsyncError, config, safeParseAsync, util, type $ZodType, type ParsePayload } from 'zod/v4/core';
import { jsonText } from '../chat/json-safe.ts';
import { loosened } from './loosened.ts';
import { ToolArgumentsError, messageOf, type ArgumentIssue } from './tool-errors.ts';

/** Arguments as the schema made them, and whether they had to be loosened first. */
export interface CheckedArguments {
  readonly value: unknown;
  readonly repaired: boolean;
}

/** What a schema made of a value, and what it had against it. */
interface Parsed {
  readonly value: unknown;
  readonly issues: readonly ArgumentIssue[];
}

/** How deep JSON inside JSON strings is looked for. */
const maxPasses = 3;

/** At once, unless the schema itself is asynchronous. */
export type Checked = CheckedArguments | Promise<CheckedArguments>;

/**
 * Checks parsed arguments against a schema.
 * Where the plain value fails, values that came as JSON strings and nulls for absent fields get a second chance.
 * Throws a `ToolArgumentsError` that tells the model where it went wrong.
 */
export function checkArguments(toolName: string, schema: $ZodType, plain: Record<string, unknown>): Checked {
  const attempt = (candidate: unknown, pass: number, first?: readonly ArgumentIssue[]): Checked => {
    const judged = ({ value, issues: found }: Parsed): Checked => {
      if (found.length === 0) return { value, repaired: pass > 0 };
      const issues = first ?? found;
      const readings = pass < maxPasses ? loosened(candidate, found) : [];
      return firstOf(
        readings,
        (reading) => attempt(reading, pass + 1, issues),
        () => new ToolArgumentsError(explained(toolName, plain, issues), { issues }),
      );
    };
    const result = parse(toolName, schema, candidate);
    return result instanceof Promise ? result.then(judged) : judged(result);
  };
  return attempt(plain, 0);
}

/** What the first reading comes to that fits; throws the failure where none does. */
function firstOf(readings: readonly unknown[], attempt: (reading: unknown) => Checked, failure: () => Error): Checked {
  if (readings.length === 0) throw failure();
  const others = () => firstOf(readings.slice(1), attempt, failure);
  try {
    const checked = attempt(readings[0]);
    return checked instanceof Promise ? checked.catch(others) : checked;
  } catch {
    return others();
  }
}

/** Not by `safeParse`, which drops the promise of an async check: nobody would hear it reject, and Node ends a process for that. */
function parse(toolName: string, schema: $ZodType, value: unknown): Parsed | Promise<Parsed> {
  const failed = (error: unknown): never => {
    throw schemaFailure(toolName, error);
  };
  const failedOrAsync = (error: unknown): Promise<Parsed> => {
    if (!(error instanceof $ZodAsyncError)) return failed(error);
    // An async transform, which must be asked for as such.
    return safeParseAsync(schema, value).then((result) => ({ value: result.data, issues: result.error?.issues ?? [] }), failed);
  };
  try {
    const parsed = schema._zod.run({ value, issues: [] }, {});
    return parsed instanceof Promise ? parsed.then(readable).catch(failedOrAsync) : readable(parsed);
  } catch (error) {
    return failedOrAsync(error);
  }
}

function readable({ value, issues }: ParsePayload): Parsed {
  return { value, issues: issues.map((issue) => util.finalizeIssue(issue, undefined, config())) };
}

/** Code of the user inside the schema threw: the arguments are what it could not bear. */
function schemaFailure(toolName: string, cause: unknown): ToolArgumentsError {
  return new ToolArgumentsError(`The arguments of ${toolName} can't be used: ${messageOf(cause)}`, { cause });
}

function explained(toolName: string, value: unknown, issues: readonly ArgumentIssue[]): string {
  const lines = issues.map((issue) => {
    const { path } = issue;
    const message = told(issue);
    const got = shortened(
      jsonText(path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)),
    );
    return `- ${path.length ? path.map(String).join('.') : '(root)'}: ${message}; got ${got}`;
  });
  return `The arguments of ${toolName} don't fit its parameters:\n${lines.join('\n')}`;
}

/** A union's own message says nothing of what was expected; those of its branches do. */
function told(issue: ArgumentIssue): string {
  const { errors } = issue as { errors?: readonly (readonly ArgumentIssue[])[] };
  const branches = (errors ?? []).map((branch) => branch.map(told).join(', '));
  return branches.length > 0 ? [...new Set(branches)].join('; or ') : issue.message;
}

function shortened(text: string): string {
  return text === 'undefined' ? 'nothing' : text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
