import { fromJSONSchema } from 'zod';
import { toJSONSchema, type $ZodObject, type $ZodType } from 'zod/v4/core';
import { ConfigurationError } from '../chat/configuration-error.ts';
import { jsonSafe } from '../chat/json-safe.ts';
import { invalidOption } from '../chat/option-checks.ts';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { checkArguments, type Checked } from './check-arguments.ts';
import { ToolArgumentsError, isError, messageOf } from './tool-errors.ts';
import { writtenAs } from './written-as.ts';

/** A tool's parameters in the two forms that are needed: as JSON Schema for the model, and as a check of what it wrote. */
export interface ToolSchema {
  readonly parameters: JsonSchema;
  check(value: Record<string, unknown>): Checked;
}

/** Reads a tool's `parameters`; throws a `ConfigurationError` on what can't be a tool's parameters. */
export function toolSchema(toolName: string, parameters: unknown): ToolSchema {
  if (parameters === undefined) {
    return { parameters: { type: 'object', properties: {} }, check: () => ({ value: {}, repaired: false }) };
  }
  if (isZodType(parameters)) return zodSchema(toolName, parameters);
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw invalidOption(`tool ${toolName}`, 'parameters', parameters, 'it must be a zod object or a JSON Schema');
  }
  return jsonSchema(toolName, parameters as JsonSchema);
}

function zodSchema(toolName: string, type: $ZodType): ToolSchema {
  if (type._zod.def.type !== 'object') {
    throw new ConfigurationError(
      `tool ${toolName}: parameters is a zod ${type._zod.def.type}; wrap it as z.object({ value: … }), arguments are an object.`,
    );
  }
  return { parameters: declared(toolName, type as $ZodObject), check: (value) => checkArguments(toolName, type, value) };
}

/** The input side: what has a default is optional, and what a transform makes of it is no business of the model. */
function declared(toolName: string, type: $ZodObject): JsonSchema {
  try {
    const schema = toJSONSchema(type, { io: 'input', unrepresentable: 'any', override: tellWritten });
    // Which draft it is in is no business of the model.
    delete schema.$schema;
    return schema;
  } catch (error) {
    throw new ConfigurationError(`tool ${toolName}: parameters can't be told as JSON Schema: ${messageOf(error)}`);
  }
}

/** Of what JSON has no values for, the model is told how to write it; it is read as that again. */
function tellWritten({ zodSchema: type, jsonSchema: json }: { zodSchema: $ZodType; jsonSchema: object }): void {
  Object.assign(json, writtenAs[type._zod.def.type]);
}

/** What stands at the root of a JSON Schema. */
const keyword =
  /^(type|properties|required|additionalProperties|patternProperties|propertyNames|(min|max)Properties|\$\w+|definitions|(any|one|all)Of|not|if|then|else|title|description|default|examples)$/;

/** A zod shape without its z.object, a schema of zod 3, properties without their schema: nothing would be checked by these. */
function checkIsSchema(toolName: string, schema: JsonSchema): void {
  const keys = Object.keys(schema);
  const isShape = Object.values(schema).some((value) => isZodType(value));
  if ('_def' in schema) throw new ConfigurationError(`tool ${toolName}: parameters is a schema of zod 3; make it with zod 4.`);
  if (isShape)
    throw new ConfigurationError(`tool ${toolName}: parameters is a shape without its object; wrap it as z.object({ … }).`);
  if (keys.length === 0 || keys.some((key) => keyword.test(key))) return;
  throw new ConfigurationError(
    `tool ${toolName}: parameters has no keyword of JSON Schema; wrap it as { type: 'object', properties: { … } }.`,
  );
}

function jsonSchema(toolName: string, schema: JsonSchema): ToolSchema {
  checkIsSchema(toolName, schema);
  if (schema['type'] !== undefined && schema['type'] !== 'object') {
    throw invalidOption(
      `tool ${toolName}`,
      'parameters.type',
      schema['type'],
      "wrap it as { type: 'object', properties: { value: … } }, arguments are an object",
    );
  }
  const parameters: JsonSchema = { ...schema, type: 'object', properties: schema['properties'] ?? {} };
  // Converted at the first call: a service with a hundred foreign tools starts without reading their schemas.
  let converted: { readonly type: $ZodType | undefined } | undefined;
  const giveUp = (error: unknown) => {
    console.warn(
      `tool ${toolName}: its JSON Schema can't be checked (${messageOf(error)}); arguments are passed on as they come.`,
    );
    return (converted = { type: undefined });
  };
  const convert = () => {
    try {
      return { type: fromJSONSchema(parameters) };
    } catch (error) {
      return giveUp(error);
    }
  };
  const overflows = (type: $ZodType, value: unknown): boolean => {
    try {
      void checkArguments(toolName, type, value as Record<string, unknown>);
      return false;
    } catch (error) {
      return overflowIn(error) !== undefined;
    }
  };
  return {
    parameters,
    check(value) {
      const unchecked = { value, repaired: false };
      converted ??= convert();
      const { type } = converted;
      if (!type) return unchecked;
      try {
        // Schemas made of JSON have nothing asynchronous in them.
        return checkArguments(toolName, type, value);
      } catch (error) {
        // A reference that leads only to itself shows here, by an overflow; but so do arguments that are too deep, and by these
        // no model is to get rid of the check.
        const overflow = overflowIn(error);
        if (!overflow) throw error;
        if (!overflows(type, jsonSafe(value)))
          throw new ToolArgumentsError(`The arguments of ${toolName} are too deep. Call it again with fewer levels.`);
        giveUp(overflow);
        return unchecked;
      }
    },
  };
}

function overflowIn(error: unknown): RangeError | undefined {
  const cause = isError(error) ? error.cause : undefined;
  return cause instanceof RangeError ? cause : undefined;
}

function isZodType(value: unknown): value is $ZodType {
  return typeof (value as { _zod?: unknown } | null | undefined)?._zod === 'object';
}
