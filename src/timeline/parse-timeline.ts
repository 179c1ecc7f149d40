import * as z from 'zod';
import { jsonText } from '../chat/json-safe.ts';
import type { Timeline } from './timeline.ts';

/**
 * Reads a timeline from JSON that was parsed, as it comes from a file.
 *
 * Throws a `TypeError` that says where the value stops being a timeline, or that its version is another one.
 *
 * @example
 * renderSvg(parseTimeline(JSON.parse(text)));
 */
export function parseTimeline(json: unknown): Timeline {
  if (typeof json === 'string') throw new TypeError('This is JSON text, not a timeline: pass JSON.parse(text) to parseTimeline.');
  const { version } = (Object(json) ?? {}) as { version?: unknown };
  if (version !== undefined && version !== 1) {
    throw new TypeError(`This timeline has the version ${jsonText(version)}, and this release of toolstream reads version 1.`);
  }
  const { success, data, error } = timelineSchema().safeParse(json);
  if (success) return data;
  const problems = error.issues.slice(0, 5).map((issue) => `  ${pathText(issue.path)}: ${issue.message}`);
  throw new TypeError(`This is no timeline:\n${problems.join('\n')}`);
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), 'timeline');
}

let schema: ReturnType<typeof createSchema> | undefined;
// Made at the first use: importing the library must not pay for it.
const timelineSchema = () => (schema ??= createSchema());

function createSchema() {
  const time = z.number().min(0);
  const count = z.number().int().min(0);
  const segment = z.object({
    type: z.enum(['text', 'thought']),
    start: time,
    end: time,
    characters: count,
    text: z.string(),
    pieces: z.array(z.object({ at: time, characters: count })),
  });
  const round = z.object({
    number: count,
    start: time,
    answered: time.optional(),
    end: time.optional(),
    finishReason: z.string().optional(),
    segments: z.array(segment),
    retries: z.array(z.object({ at: time, attempt: z.number(), delay: time, reason: z.string() })),
    restarted: z.object({ at: time, reason: z.string() }).optional(),
  });
  const call = z.object({
    id: z.string(),
    name: z.string(),
    round: count,
    written: z.object({ start: time, end: time.optional() }),
    approval: z.object({ asked: time, answered: time.optional(), approved: z.boolean().optional() }).optional(),
    start: time.optional(),
    end: time.optional(),
    isWithin: z.literal(true).optional(),
    progress: z.array(z.object({ at: time, value: z.string() })),
    progressCount: count,
    outcome: z.enum(['ok', 'error', 'cancelled', 'denied', 'unfinished']),
    arguments: z.string(),
    result: z.string().optional(),
    compensation: z
      .object({
        at: time,
        reason: z.enum(['toolError', 'cancelled', 'modelError', 'limit', 'guardrail', 'memory']),
        error: z.string().optional(),
      })
      .optional(),
  });
  return z.object({
    version: z.literal(1),
    invocationId: z.string().optional(),
    serviceName: z.string().optional(),
    status: z.enum(['running', 'completed', 'failed', 'cancelled']),
    end: time.optional(),
    error: z.string().optional(),
    duration: time,
    retrieval: z.object({ at: time, contents: count }).optional(),
    failures: z.array(z.object({ at: time, error: z.string() })),
    rounds: z.array(round),
    calls: z.array(call),
  });
}
