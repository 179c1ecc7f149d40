/** A JSON Schema, as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  /** A zod schema is no JSON Schema: this keeps the two apart for the type checker. */
  readonly _zod?: never;
}

/** What the model is told about a tool. */
export interface ToolSpecification {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema whose root is an object. */
  readonly parameters: JsonSchema;
  /** For the application and for providers that take extra settings; not sent otherwise. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}
