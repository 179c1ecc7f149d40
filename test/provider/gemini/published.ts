import type { Content, GenerationConfig, Tool, ToolConfig } from '@google/genai';

/** The SDK's enums, as the words that are sent. */
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

/** The body of a request as Google publishes it. */
export type PublishedBody = Plain<{
  contents: Content[];
  systemInstruction?: Content;
  tools?: Tool[];
  toolConfig?: ToolConfig;
  generationConfig?: GenerationConfig;
}>;

export type PublishedContent = PublishedBody['contents'][number];
