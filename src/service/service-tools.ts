import { ConfigurationError } from '../chat/configuration-error.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { declaredTools, hasDecoratedTools, type DeclaredTools } from '../tool/decorated-tools.ts';
import type { Tool } from '../tool/types.ts';
import type { AiServiceOptions } from './options.ts';
import { checkTools } from './toolset.ts';

/** The tools of a service by their names, decorated methods among them; throws a `ConfigurationError` on what can't be a tool. */
export function serviceTools(options: AiServiceOptions<unknown>): ReadonlyMap<string, Tool> {
  const { tools = [], compensateOnToolErrors, logger = console } = options;
  if (!Array.isArray(tools)) throw invalidOption('aiService', 'tools', tools, 'it must be an array of tools');
  const all = (tools as readonly unknown[]).flatMap((item, index): unknown => {
    if (!isNoTool(item)) return [item];
    const { tools: declared, problems } = declaredAt(index, item);
    // Without compensation nobody is harmed by a method that undoes nothing.
    if (compensateOnToolErrors && problems[0]) throw new ConfigurationError(problems[0]);
    return declared;
  });
  checkTools('aiService', 'tools', all);
  const byName = new Map<string, Tool>();
  for (const tool of all) {
    const { name } = tool.specification;
    if (byName.has(name)) throw new ConfigurationError(`aiService: two tools are named ${name}; rename one.`);
    byName.set(name, tool);
  }
  const isInVain = ({ compensate, undoesItself }: Tool) => compensate !== undefined && !undoesItself;
  const inVain = compensateOnToolErrors === undefined ? all.find(isInVain) : undefined;
  if (inVain)
    logger.warn(
      `aiService: tool ${inVain.specification.name} has a compensate, which runs only with compensateOnToolErrors: true.`,
    );
  return byName;
}

function declaredAt(index: number, item: object): DeclaredTools {
  try {
    return declaredTools(item);
  } catch (error) {
    throw error instanceof ConfigurationError ? new ConfigurationError(`aiService: tools[${index}]: ${error.message}`) : error;
  }
}

/** An instance whose methods may be tools. What has the makings of a tool is checked as one. */
function isNoTool(item: unknown): item is object {
  if (typeof item === 'function') return true;
  if (typeof item !== 'object' || item === null) return false;
  return hasDecoratedTools(item) || !('execute' in item || 'specification' in item);
}
