import type { ChatRequest, ResponseFormat, ToolChoice } from '../../chat/chat-request.ts';
import type { ChatMessage } from '../../chat/message.ts';
import type { ToolSpecification } from '../../chat/tool-specification.ts';
import { formatInWords } from '../format-in-words.ts';
import { jsonBody } from '../json-body.ts';
import { notTaken } from '../request-error.ts';
import { geminiDeclaration } from '../schema/gemini-declaration.ts';
import { serialisedOnce } from '../serialised-once.ts';
import { wireJson } from '../wire-json.ts';
import { contentsJson } from './contents-json.ts';
import { geminiApi, geminiName } from './gemini-api.ts';
import { generationConfig } from './generation-config.ts';
import { generationOf } from './generation.ts';

/** The body of a request to the Gemini API, as JSON text; throws a `ChatModelError` on what can't be said in it. */
export function geminiBody(request: ChatRequest): string {
  const { messages, toolSpecifications = [], toolChoice, responseFormat, providerOptions } = request;
  const generation = generationOf(request.modelName);
  const hasTools = toolSpecifications.length > 0;
  if (hasTools && request.parallelToolCalls === false)
    throw notTaken(
      geminiApi,
      'parallelToolCalls: false',
      'leave it out, and set toolConcurrency: 1 where calls must not overlap',
    );
  const isInWords = hasTools && responseFormat?.type === 'json' && !generation.formatsBesideTools;
  const settings = {
    systemInstruction: systemInstruction(messages, isInWords ? responseFormat : undefined),
    toolConfig: hasTools && toolChoice ? { functionCallingConfig: callingConfig(toolChoice) } : undefined,
    generationConfig: generationConfig(request, generation, isInWords ? undefined : responseFormat),
  };
  return jsonBody(settings, providerOptions, {
    contents: () => contentsJson(messages, generation),
    ...(hasTools && { tools: () => toolsJson(toolSpecifications) }),
  });
}

function systemInstruction(messages: readonly ChatMessage[], format: ResponseFormat | undefined): unknown {
  const texts = messages.flatMap((message) => (message.role === 'system' && message.text ? [message.text] : []));
  if (format) texts.push(formatInWords(format));
  return texts.length > 0 ? { parts: texts.map((text) => ({ text })) } : undefined;
}

function callingConfig(choice: ToolChoice): unknown {
  if (typeof choice === 'string') return { mode: modes[choice] };
  return { mode: 'ANY', allowedFunctionNames: [geminiName(choice.name)] };
}

const modes = { auto: 'AUTO', required: 'ANY', none: 'NONE' } as const;

// A service hands in the same array for every request.
const toolsJson = serialisedOnce((tools: readonly ToolSpecification[]) =>
  wireJson([{ functionDeclarations: tools.map(functionDeclaration) }]),
);

function functionDeclaration({ name, description, parameters }: ToolSpecification): Readonly<Record<string, unknown>> {
  return {
    name: geminiName(name),
    ...(description !== undefined && { description }),
    ...geminiDeclaration(parameters),
  };
}
