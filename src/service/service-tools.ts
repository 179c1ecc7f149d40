import { ConfigurationError } from '../chat/configuration-error.ts';
import { invalidOption } from '../chat/option-checks.ts';
import { declarerOf, type DeclaredTools } from '../tool/decorated-marks.ts';
import { quietly } from '../tool/quietly.ts';
import type { Tool } from '../tool/types.ts';
import type { AiServiceOptions } from './options.ts';
import { checkTools } from './toolset.ts';

/** The tools of a service by their names, decorated methods among them; throws a `ConfigurationError` on what can't be a tool. */
export function serviceTools(options: AiServiceOptions<unknown>): ReadonlyMap<string, Tool> {
  const { tools = [], compensateOnToolErrors, logger = console } = options;
  if (!Array.isArray(tools)) throw invalidOption('aiService', 'tools', tools, 'it must be an array of tools');
  const all = (tools as readonly unknown[]).flatMap((item, index): unknown => {
    const declare = declarerOf(item);
    if (!declare) return [item];
    const { tools: declared, problems } = declaredAt(index, () => declare(item as object));
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
    quietly(() =>
      logger.warn(
        `aiService: tool ${inVain.specification.name} has a compensate, which runs only with compensateOnToolErrors: true.`,
      ),
    );
  return byName;
}

function declaredAt(index: number, declared: () => DeclaredTools): DeclaredTools {
  try {
    return declared();
  } catch (error) {
    throw error instanceof ConfigurationError ? new ConfigurationError(`aiService: tools[${index}]: ${error.message}`) : error;
  }
}
