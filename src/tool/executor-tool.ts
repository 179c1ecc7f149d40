import { map } from 'rxjs';
import { isObject } from '../chat/is-object.ts';
import { checkKnownOptions, checkText, invalidOption, requireFunction } from '../chat/option-checks.ts';
import type { ToolExecutionRequest } from '../chat/message.ts';
import type { JsonSchema, ToolSpecification } from '../chat/tool-specification.ts';
import { fromValue } from '../chat/value.ts';
import { callScope } from './call-scope.ts';
import { createTool } from './create-tool.ts';
import { toolResult } from './tool-result.ts';
import { toolTraits, traitOptions, type TraitOptions } from './tool-traits.ts';
import type { Tool, ToolExecutor } from './types.ts';

/**
 * Makes a tool of a specification and a function that reads the request itself: its arguments stay the text that the
 * model wrote, and an error that it throws is given to the handlers as it is.
 *
 * Throws a `ConfigurationError` without a name or a function. `needsApproval` is given the text of the arguments.
 *
 * @example
 * const echo = executorTool({ name: 'echo', parameters: { type: 'object' } }, (request) => ({
 *   contents: [{ type: 'text', text: request.arguments }],
 *   isError: false,
 * }));
 */
export function executorTool(specification: ToolSpecification, executor: ToolExecutor, options: TraitOptions<string> = {}): Tool {
  checkKnownOptions('executorTool', options, traitOptions);
  checkText('executorTool', 'specification.name', (specification as Partial<ToolSpecification> | undefined)?.name);
  const { name } = specification;
  // A foreign server may tell anything here, such as `true`.
  const parameters: JsonSchema = isObject(specification.parameters) ? specification.parameters : {};
  if ('_zod' in parameters)
    throw invalidOption(`tool ${name}`, 'parameters', 'a zod schema', 'it must be a JSON Schema, as z.toJSONSchema returns');
  requireFunction(`tool ${name}`, 'executor', executor);
  return createTool({
    traits: toolTraits(name, options, (request) => request.arguments),
    specification: {
      ...specification,
      parameters: { ...parameters, type: 'object', properties: parameters['properties'] ?? {} },
    },
    run: (request, parent) =>
      callScope(parent, (context) => fromValue(() => executor(request as ToolExecutionRequest, context)).pipe(map(toolResult))),
  });
}
