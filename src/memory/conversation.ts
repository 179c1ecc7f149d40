import { EMPTY, Subject, catchError, defer, ignoreElements, of, tap, type Observable } from 'rxjs';
import type { ChatMessage, SystemMessage, UserMessage } from '../chat/message.ts';
import { fromTask, fromValue } from '../chat/value.ts';
import type { ChatMemory } from './chat-memory.ts';
import { repairHistory } from './repair-history.ts';

/** The history of one invocation: what memory held, and what has been said since. It is the only place that changes it. */
export interface Conversation {
  /** Reads the memory; once more when a failed invocation goes on. */
  load(systemMessage: SystemMessage | undefined): Observable<never>;
  /** What the next request carries: emits once. */
  messages(): Observable<readonly ChatMessage[]>;
  /** Adds messages that belong together and writes what is not yet written. Goes on when unsubscribed from: half a write would break the history. */
  commit(unit: readonly ChatMessage[]): Observable<never>;
  /** The ids of all calls so far; kept up to date. */
  callIds(): ReadonlySet<string>;
  /** Completes when no write is under way. */
  settled(): Observable<never>;
}

export function conversation(memory: ChatMemory | undefined, userMessage: UserMessage): Conversation {
  let system: SystemMessage | undefined;
  let isSystemUnwritten = false;
  /** What the store holds, as it was loaded. */
  let stored: readonly ChatMessage[] = [];
  /** Everything but the system message: the repaired store, then this invocation. */
  let history: ChatMessage[] = [userMessage];
  /** Where in `history` begins what the memory does not know. */
  let unwritten = 0;
  let writing: Observable<never> = EMPTY;
  /** Made when the first call asks for it: most conversations of one question never do. */
  let ids: Set<string> | undefined;

  const write = (target: ChatMemory): Observable<never> => {
    const batch = history.slice(unwritten);
    if (batch.length === 0) return EMPTY;
    const end = history.length;
    const lead = isSystemUnwritten ? [system!] : [];
    const others = stored.filter(({ role }) => role !== 'system');
    // A changed system message takes the place of the old one, which `add` can't do in every memory.
    const replaces = isSystemUnwritten && stored.length > 0;
    return fromTask(() => (replaces ? target.set([...lead, ...others, ...batch]) : target.add([...lead, ...batch]))).pipe(
      tap({
        complete: () => {
          unwritten = end;
          isSystemUnwritten = false;
        },
      }),
    );
  };

  // What the window has let go of is not asked about again: else each round would pay for all that went before.
  const forgetEvicted = (kept: readonly ChatMessage[]) => {
    const known = history.slice(0, unwritten);
    const fitting = new Set(kept);
    const left = known.filter((message) => fitting.has(message));
    // A memory that hands out copies tells nothing of what it has let go of.
    const isCopied = left.length === 0 && kept.length > history.length - unwritten + 1;
    if (left.length === known.length || isCopied) return;
    history = [...left, ...history.slice(unwritten)];
    unwritten = left.length;
  };

  return {
    load: (systemMessage) =>
      defer(() => (memory ? fromValue(() => memory.messages()) : of([]))).pipe(
        tap((loaded) => {
          stored = memory ? [...readable(memory, loaded)] : [];
          const storedSystem = stored.findLast((message) => message.role === 'system');
          isSystemUnwritten = systemMessage !== undefined && systemMessage.text !== storedSystem?.text;
          system = isSystemUnwritten ? systemMessage : storedSystem;
          if (!memory) return;
          const known = repairHistory(stored.filter(({ role }) => role !== 'system'));
          history = [...known, ...history.slice(unwritten)];
          ids = undefined;
          unwritten = known.length;
        }),
        ignoreElements(),
      ),

    messages: () =>
      defer(() => {
        const all = system ? [system, ...history] : [...history];
        return memory?.fit ? fromValue(() => memory.fit!(all)).pipe(tap(forgetEvicted)) : of(all);
      }),

    commit: (unit) =>
      defer(() => {
        history.push(...unit);
        if (ids) for (const id of unit.flatMap(idsOf)) ids.add(id);
        if (!memory) return EMPTY;
        // A Subject that has ended tells how to whoever comes later.
        const written = new Subject<never>();
        writing = written.pipe(catchError(() => EMPTY));
        write(memory).subscribe(written);
        return written;
      }),

    callIds: () => (ids ??= new Set(history.flatMap(idsOf))),

    settled: () => defer(() => writing),
  };
}

function idsOf(message: ChatMessage): string[] {
  return message.role === 'assistant' ? message.toolExecutionRequests.map(({ id }) => id) : [];
}

function isMessage(value: unknown): boolean {
  const { role, text, contents, toolExecutionRequests } = (value ?? {}) as Record<string, unknown>;
  if (role === 'system') return typeof text === 'string';
  if (role === 'assistant') return Array.isArray(toolExecutionRequests);
  return (role === 'user' || role === 'tool') && Array.isArray(contents);
}

function readable({ id }: ChatMemory, loaded: unknown): readonly ChatMessage[] {
  const isHistory = Array.isArray(loaded) && loaded.every(isMessage);
  if (isHistory) return loaded as readonly ChatMessage[];
  throw new TypeError(`Chat memory ${String(id)} did not return chat messages: read stored ones with parseMessages.`);
}
