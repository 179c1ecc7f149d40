import { invalidOption } from '../../chat/option-checks.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';

const defaultTemplate = 'Would the tool {{toolName}} help to do what is asked for?\nWhat the tool does: {{toolDescription}}';

const variables: Readonly<Record<string, (tool: ToolSpecification) => string>> = {
  toolName: ({ name }) => name,
  toolDescription: ({ description }) => description ?? '',
};

/** Writes the question about a tool. Throws a `ConfigurationError` on a template that names no tool or unknown variables. */
export function questionTemplate(where: string, template: string = defaultTemplate): (tool: ToolSpecification) => string {
  const names = typeof template === 'string' ? Array.from(template.matchAll(placeholder()), ([, name]) => name!) : [];
  if (!names.includes('toolName'))
    throw invalidOption(
      where,
      'questionTemplate',
      template,
      'it must be a text with {{toolName}}, or all questions are the same',
    );
  const unknown = names.find((name) => !Object.hasOwn(variables, name));
  if (unknown !== undefined)
    throw invalidOption(
      where,
      'questionTemplate',
      template,
      `there is no {{${unknown}}}, only {{toolName}} and {{toolDescription}}`,
    );
  // In one pass: what a description says is no template.
  return (tool) => template.replace(placeholder(), (_, name: string) => variables[name]!(tool)).trim();
}

const placeholder = () => /\{\{\s*(\w+)\s*\}\}/g;
