import { aiService, type AiService } from '../../src/service/ai-service.ts';
import type { AiServiceOptions } from '../../src/service/options.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import { kept, keptLogs, outline, roomyMemory } from '../service/support.ts';

/** A service whose tool a does something with that very service. */
export function selfCalling(
  work: (service: AiService) => unknown,
  rounds: readonly string[],
  options: Partial<AiServiceOptions> = {},
) {
  const a = tool({ name: 'a', execute: () => work(service) });
  const chatMemory = 'chatMemoryProvider' in options ? undefined : roomyMemory();
  const service: AiService = aiService({
    model: scriptedModel(rounds),
    tools: [a],
    ...(chatMemory && { chatMemory }),
    logger: keptLogs(),
    ...options,
  });
  return { service, history: () => outline(kept(chatMemory)) };
}

/** The error, or the word that there was none. */
export const ended = (service: AiService, input: string): Promise<unknown> =>
  new Promise((resolve) => service.stream(input).subscribe({ error: resolve, complete: () => resolve('complete') }));
