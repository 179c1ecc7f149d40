import { firstValueFrom, map, toArray, type Observable } from 'rxjs';
import { vi } from 'vitest';
import {
  aiService,
  type AiServiceOptions,
  type AiServiceStreamingEvent,
  type ToolContext,
  type ToolExecution,
} from '../../src/index.ts';
import { mcpToolProvider, type McpClient, type McpToolProviderOptions } from '../../src/mcp/index.ts';
import { scriptedModel, type ScriptedItem } from '../../src/testing/index.ts';

export interface Invoked {
  readonly events: readonly AiServiceStreamingEvent[];
  /** In request order. */
  readonly executions: readonly ToolExecution[];
  /** What the model was told of tools, request by request. */
  readonly told: readonly (readonly string[])[];
}

/** An invocation whose model makes these calls, and answers then. */
export function invoked(
  clients: readonly McpClient[],
  calls: readonly ScriptedItem[],
  provider: Omit<McpToolProviderOptions, 'clients'> = {},
  options: Partial<AiServiceOptions> = {},
): Promise<Invoked> {
  const model = scriptedModel([calls, ['done']]);
  const service = aiService({ model, toolProviders: [mcpToolProvider({ clients, ...provider })], ...options });
  const stream$ = service.stream('go').pipe(
    toArray(),
    map((events) => {
      const executions = events.flatMap((event) => (event.type === 'afterToolExecution' ? [event.execution] : []));
      const ids = events.flatMap((event) => (event.type === 'completeToolCall' ? [event.request.id] : []));
      return {
        events,
        executions: ids.map((id) => executions.find(({ request }) => request.id === id)!),
        told: model.requests.map(({ toolSpecifications }) => (toolSpecifications ?? []).map(({ name }) => name)),
      };
    }),
  );
  return only(stream$);
}

/** A logger that keeps its warnings. */
export function warnings() {
  const lines: string[] = [];
  const keep = (...words: readonly unknown[]) => void lines.push(words.map(String).join(' '));
  return { lines, logger: { warn: keep, error: keep, debug: () => undefined } };
}

/** Clients that are closed after each test. */
export function openClients() {
  const clients: McpClient[] = [];
  return {
    opened: <T extends McpClient>(client: T): T => {
      clients.push(client);
      return client;
    },
    closeAll: () => Promise.all(clients.splice(0).map((client) => client.close())),
  };
}

/** The context of a call that no service makes. */
export function contextFor(name: string, progress: (value: unknown) => void = () => undefined): ToolContext {
  const userMessage = { role: 'user', contents: [{ type: 'text', text: 'go' }] } as const;
  const parameters = new Map<string, unknown>();
  return {
    request: { id: 'c1', name, arguments: '{}' },
    invocation: { invocationId: 'i1', userMessage, originalUserMessage: userMessage, parameters, timestamp: 0 },
    parameters,
    signal: new AbortController().signal,
    progress,
  };
}

/** The one value of a source. */
export const only = <T>(source: Observable<T>): Promise<T> => firstValueFrom(source, { defaultValue: undefined as T });

/** Waits for what another process does, on a busy machine too. */
export const until = <T>(expectation: () => T | Promise<T>): Promise<T> => vi.waitFor(expectation, { timeout: 20_000 });
