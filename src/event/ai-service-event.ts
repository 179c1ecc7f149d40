import { jsonSafe } from '../chat/json-safe.ts';
import type { InvocationContext } from '../tool/invocation-context.ts';

/** The fields that every event has. */
export interface EventFields {
  readonly invocation: InvocationContext;
}

/** Something that happened in an invocation, for those who look on. Events change nothing. */
export abstract class AiServiceEvent<Fields extends EventFields = EventFields> {
  abstract readonly type: string;
  readonly invocation: InvocationContext;
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.invocation = fields.invocation;
    this.#fields = fields;
  }

  /** A copy with some fields changed. */
  with(patch: Partial<Fields>): this {
    return new (this.constructor as new (fields: Fields) => this)({ ...this.#fields, ...patch });
  }

  /** Plain data for a log: never throws, whatever the event carries. */
  toJSON(): Record<string, unknown> {
    return jsonSafe({ type: this.type, ...this.#fields }) as Record<string, unknown>;
  }
}
