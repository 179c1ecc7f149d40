import type { $ZodObject } from 'zod/v4/core';
import { ConfigurationError } from '../chat/configuration-error.ts';
import type { JsonSchema } from '../chat/tool-specification.ts';
import { markedMethods, type DeclaredTools, type Marks } from './decorated-marks.ts';
import type { AnyMethod } from './decorated-method.ts';
import { tool } from './tool.ts';

type Methods = ReadonlyMap<string | symbol, Marks>;

/** The tools that an object's methods are decorated to be; throws a `ConfigurationError` where these can't be had. */
export function declaredTools(object: object): DeclaredTools {
  checkIsInstance(object);
  const where = `the tools of ${nameOf(object)}`;
  const methods = markedMethods(object);
  const toolMethods = byToolName(methods, ({ tool: definition }) => (definition ? [definition.name] : []));
  const undoMethods = byToolName(methods, ({ undoes }) => undoes ?? []);
  checkTools(where, toolMethods);
  const [gone] = replaced(object, methods, (marks) => marks.tool);
  if (gone !== undefined) throw new ConfigurationError(`${where}: ${gone}`);

  // Looked up at each call, so that a method which is replaced later, as by a test's spy, is the one that is called.
  const call = (name: string | symbol, ...args: unknown[]) => (object as Record<string | symbol, AnyMethod>)[name]!(...args);
  const tools = [...methods].flatMap(([method, { tool: definition }]) => {
    if (!definition) return [];
    const undo = undoMethods.get(definition.name)?.[0];
    return tool<$ZodObject | JsonSchema, unknown>({
      ...definition,
      execute: (args, context) => call(method, args, context),
      ...(undo !== undefined && { compensate: (execution, context) => call(undo, execution.arguments, execution, context) }),
    });
  });
  const problems = [
    ...bothKinds(methods),
    ...replaced(object, methods, ({ undoes }) => undoes),
    ...misnamed(toolMethods, undoMethods),
  ];
  return { tools, problems: problems.map((problem) => `${where}: ${problem}`) };
}

type MethodsByTool = ReadonlyMap<string, readonly (string | symbol)[]>;

function byToolName(methods: Methods, toolNames: (marks: Marks) => readonly string[]): MethodsByTool {
  const found = new Map<string, readonly (string | symbol)[]>();
  for (const [method, marks] of methods)
    for (const name of toolNames(marks)) found.set(name, [...(found.get(name) ?? []), method]);
  return found;
}

/** An instance may hold secrets, so none of these errors shows the object itself. */
function checkIsInstance(object: unknown): void {
  const remedy = 'pass an instance of a class with @Tool methods';
  if (typeof object === 'function')
    throw new ConfigurationError(`toolsOf: ${object.name || 'this'} is a class or a function; ${remedy}.`);
  if (Array.isArray(object)) throw new ConfigurationError(`toolsOf: an array has no @Tool methods; ${remedy}, one at a time.`);
  if (typeof object !== 'object' || object === null)
    throw new ConfigurationError(`toolsOf: ${object === null ? 'null' : typeof object} has no @Tool methods; ${remedy}.`);
}

function checkTools(where: string, toolMethods: MethodsByTool): void {
  if (toolMethods.size === 0)
    throw new ConfigurationError(
      `${where}: no method is decorated with @Tool, on top of all decorators that replace it; decorate one, or use tool({ … }).`,
    );
  for (const [toolName, [one, other]] of toolMethods) {
    if (other === undefined) continue;
    throw new ConfigurationError(`${where}: ${String(one)} and ${String(other)} are both named ${toolName}; rename one.`);
  }
}

/** Tells of methods that a subclass or a field has made into something else. */
function replaced(object: object, methods: Methods, isMeant: (marks: Marks) => unknown): string[] {
  const names = [...methods].filter(([name, marks]) => isMeant(marks) && typeof Reflect.get(object, name) !== 'function');
  return names.map(([name]) => `${String(name)} is decorated, but what overrides it is no method.`);
}

function bothKinds(methods: Methods): string[] {
  const both = [...methods].filter(([, { tool: definition, undoes }]) => definition && undoes);
  return both.map(
    ([name]) => `${String(name)} is both @Tool and @CompensateFor, which are called differently; make it two methods.`,
  );
}

function misnamed(toolMethods: MethodsByTool, undoMethods: MethodsByTool): string[] {
  return [...undoMethods].flatMap(([toolName, [one, other]]) => {
    const decorator = `@CompensateFor('${toolName}')`;
    if (!toolMethods.has(toolName))
      return [
        `${String(one)} is ${decorator}, but no tool of it has this name; there are ${[...toolMethods.keys()].join(', ')}.`,
      ];
    return other === undefined ? [] : [`${String(one)} and ${String(other)} are both ${decorator}; keep one.`];
  });
}

function nameOf(object: object): string {
  const { name } = (object as { constructor?: { name?: unknown } }).constructor ?? {};
  return typeof name === 'string' && name && name !== 'Object' ? name : 'this object';
}
