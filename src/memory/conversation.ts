import { EMPTY, concatMap, defer, ignoreElements, of, tap, type Observable } from 'rxjs';
import type { ChatMessage, SystemMessage, ToolExecutionResultMessage, UserMessage } from '../chat/message.ts';
import { fromTask, fromValue } from '../chat/value.ts';
import type { ChatMemory } from './chat-memory.ts';
import { invocationHistory } from './invocation-history.ts';
import { isSaid } from './is-said.ts';
import { readableHistory } from './readable-history.ts';
import { repairHistory } from './repair-history.ts';

/** The history of one invocation: what memory held, and what has been said since. It is the only place that changes it. */
export interface Conversation {
  /** Reads the memory; once more when a failed invocation goes on. */
  load(systemMessage: SystemMessage | undefined): Observable<never>;
  /** Puts another message in the place of the user's: the one that the model gets, and the one that memory keeps. */
  ask(shown: UserMessage, kept: UserMessage): void;
  /** What the next request carries: emits once. */
  messages(): Observable<readonly ChatMessage[]>;
  /** Adds messages that belong together. Memory gets them with the next `write`. */
  add(unit: readonly ChatMessage[]): void;
  /** Takes back an answer that is not written yet. */
  takeBackAnswer(): void;
  /** Adds what the model sees in this invocation and memory never does. */
  addUnstored(messages: readonly ChatMessage[]): void;
  /** Puts other results in the place of those with the same ids, in memory too. */
  replaceResults(results: ReadonlyMap<string, ToolExecutionResultMessage>): Observable<never>;
  /** Writes to memory what it does not know yet. */
  write(): Observable<never>;
  /** The ids of all calls so far; kept up to date. */
  callIds(): ReadonlySet<string>;
}

/** @param onBroken - is told what had to be repaired of what the memory returned. */
export function conversation(
  memory: ChatMemory | undefined,
  userMessage: UserMessage,
  onBroken: (problems: readonly string[]) => void,
): Conversation {
  const history = invocationHistory(userMessage);
  let system: SystemMessage | undefined;
  let isSystemUnwritten = false;
  /** What the store holds, as it was loaded. */
  let stored: readonly ChatMessage[] = [];
  /** A write has begun and not succeeded: a store may have kept it all the same. */
  let isInDoubt = false;
  /** An answer that was to be written and is none any more. */
  let takenBack: ChatMessage | undefined;

  const lookForSystem = (systemMessage: SystemMessage | undefined) => {
    const storedSystem = stored.findLast((message) => message.role === 'system');
    isSystemUnwritten = systemMessage !== undefined && systemMessage.text !== storedSystem?.text;
    system = isSystemUnwritten ? systemMessage : storedSystem;
  };

  const repaired = () => {
    const problems: string[] = [];
    const known = repairHistory(stored, (place, problem) => problems.push(`messages[${place}] ${problem}`));
    if (problems.length > 0) onBroken(problems);
    return known.filter(isNoSystem);
  };

  // Read again: another process may have added to it since.
  const rewrite = (change: (kept: readonly ChatMessage[]) => readonly ChatMessage[]) =>
    fromValue(() => memory!.messages()).pipe(
      concatMap((kept) => fromTask(() => memory!.set(change(readableHistory(memory!, kept))))),
    );

  return {
    load: (systemMessage) =>
      defer(() => (memory ? fromValue(() => memory.messages()) : of([]))).pipe(
        tap((loaded) => {
          const before = stored;
          stored = memory ? readableHistory(memory, loaded) : [];
          lookForSystem(systemMessage);
          if (!memory) return;
          history.goOn(repaired(), isInDoubt && !isSaid(stored, before));
          isInDoubt = false;
        }),
        ignoreElements(),
      ),

    messages: () =>
      defer(() => {
        const all = system ? [system, ...history.messages()] : [...history.messages()];
        if (!memory?.fit) return of(all);
        return history.unstored.fitted(all, (messages) => memory.fit!(messages)).pipe(tap(history.forgetEvicted));
      }),

    takeBackAnswer() {
      takenBack = history.takeBackAnswer() ?? takenBack;
    },

    replaceResults: (results) =>
      defer(() => {
        const isWritten = history.replaceResults(results);
        if (!isWritten && !isInDoubt) return EMPTY;
        // A write that failed may have kept the answer, which is none any more.
        return rewrite((kept) => (isSaid(kept.at(-1), takenBack) ? kept.slice(0, -1) : kept).map(history.replaced));
      }),

    write: () =>
      defer(() => {
        const end = history.messages().length;
        const batch = history.unwritten();
        if (!memory || batch.length === 0) return EMPTY;
        isInDoubt = true;
        const lead = isSystemUnwritten ? [system!] : [];
        // A changed system message takes the place of the old one, which `add` can't do in every memory.
        const replaces = isSystemUnwritten && stored.length > 0;
        const write$ = replaces
          ? rewrite((kept) => [...lead, ...kept.filter(isNoSystem), ...batch])
          : fromTask(() => memory.add([...lead, ...batch]));
        return write$.pipe(
          tap({
            complete: () => {
              history.written(end);
              isSystemUnwritten = false;
              isInDoubt = false;
            },
          }),
        );
      }),

    ask: history.ask,
    add: history.add,
    addUnstored: history.addUnstored,
    callIds: history.callIds,
  };
}

const isNoSystem = ({ role }: ChatMessage) => role !== 'system';
