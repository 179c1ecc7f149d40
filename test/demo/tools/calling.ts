import { lastValueFrom, toArray } from 'rxjs';
import { aiService, type AiService } from '../../../src/service/ai-service.ts';
import type { Result } from '../../../src/service/result.ts';
import { scriptedModel } from '../../../src/testing/scripted-model.ts';
import type { Tool, ToolExecution } from '../../../src/tool/types.ts';

/** A service whose model calls the tool once with these arguments, and then answers `z`. */
export function calling(tool: Tool, args: unknown): AiService {
  const { name } = tool.specification;
  return aiService({
    model: scriptedModel(['A|', 'z|'], { calls: { A: { name, arguments: JSON.stringify(args) } } }),
    tools: [tool],
  });
}

/** What came of such an invocation, and of the call in it. */
export async function called(tool: Tool, args: unknown): Promise<Result<string> & { readonly execution: ToolExecution }> {
  const [result] = await lastValueFrom(calling(tool, args).result('?').pipe(toArray()), { defaultValue: [] });
  return { ...result!, execution: result!.toolExecutions[0]! };
}
