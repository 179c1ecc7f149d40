import { fileURLToPath } from 'node:url';
import { aiService, type AiService, type ChatModel } from '../index.ts';
import { calculate } from './tools/calculate.ts';
import { clock } from './tools/clock.ts';
import { projectFiles } from './tools/project-files.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The service that the demo asks: a model and three tools that do real work. */
export function assistant(model: ChatModel): AiService {
  return aiService({
    model,
    systemMessage: 'Use the tools, several at once where one does not need the result of another. Answer briefly, in plain text.',
    tools: [clock(), projectFiles(project), calculate],
  });
}
