import { EMPTY, concatMap, defer, ignoreElements, of, tap, type Observable } from 'rxjs';
import type {
  ChatMessage,
  SystemMessage,
  ToolExecutionRequest,
  ToolExecutionResultMessage,
  UserMessage,
} from '../chat/message.ts';
import { fromTask, fromValue } from '../chat/value.ts';
import type { ChatMemory } from './chat-memory.ts';
import { isSaid } from './is-said.ts';
import { keptCount } from './kept-count.ts';
import { ownLast } from './own-last.ts';
import { readableHistory } from './readable-history.ts';
import { repairHistory } from './repair-history.ts';
import { uniqueCalls } from './unique-calls.ts';
import { unstoredMessages } from './unstored-messages.ts';

/** The history of one invocation: what memory held, and what has been said since. It is the only place that changes it. */
export interface Conversation {
  /** Reads the memory; once more when a failed invocation goes on. */
  load(systemMessage: SystemMessage | undefined): Observable<never>;
  /** Puts another message in the place of the user's: the one that the model gets, and the one that memory keeps. */
  ask(shown: UserMessage, kept: UserMessage): void;
  /** What the next request carries: emits once. */
  messages(): Observable<readonly ChatMessage[]>;
  /** The same at once, where no memory has to fit it. */
  unfitted(): readonly ChatMessage[] | undefined;
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
  let system: SystemMessage | undefined;
  let isSystemUnwritten = false;
  /** What the store holds, as it was loaded. */
  let stored: readonly ChatMessage[] = [];
  let question = userMessage;
  /** The question as memory keeps it. */
  let keptQuestion = userMessage;
  /** Everything but the system message: the repaired store, then this invocation. */
  let history: ChatMessage[] = [userMessage];
  /** Where in `history` begins what the memory does not know. */
  let unwritten = 0;
  /** A write has begun and not succeeded: a store may have kept it all the same. */
  let isInDoubt = false;
  /** An answer that was to be written and is none any more. */
  let takenBack: ChatMessage | undefined;
  const unstored = unstoredMessages();
  /** The results that stand in the place of those with the same ids. */
  const replacements = new Map<string, ToolExecutionResultMessage>();
  /** What has become of ids. */
  const renamed = new Map<string, string>();
  const replaced = (message: ChatMessage) => {
    const result = message.role === 'tool' ? replacements.get(message.id) : undefined;
    // Another process may have used the id for a tool of its own.
    return result && message.role === 'tool' && message.toolName === result.toolName ? result : message;
  };
  /** The calls of this invocation, by their ids. */
  const calls = new Map<string, ToolExecutionRequest>();
  /** Of all calls. Made when the first call asks for it: most conversations of one question never do. */
  let ids: Set<string> | undefined;

  /** A part of the history as memory gets it. */
  const asKept = (from: number, to?: number) =>
    history
      .slice(from, to)
      .filter((message) => !unstored.has(message))
      .map((message) => (message === question ? keptQuestion : message));

  /** Where in `history` stands what follows so many messages of a batch. */
  const placeBehind = (count: number) => {
    let place = unwritten;
    for (let left = count; left > 0; place++) if (!unstored.has(history[place]!)) left--;
    return place;
  };

  const all = () => (system ? [system, ...history] : [...history]);

  const rename = (id: string, unique: string) => {
    renamed.set(id, unique);
    const call = calls.get(id);
    if (call) calls.set(unique, call);
  };

  const rewrite = (change: (kept: readonly ChatMessage[]) => readonly ChatMessage[]) =>
    fromValue(() => memory!.messages()).pipe(
      concatMap((kept) => fromTask(() => memory!.set(change(readableHistory(memory!, kept))))),
    );

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
          const before = stored;
          stored = memory ? readableHistory(memory, loaded) : [];
          const storedSystem = stored.findLast((message) => message.role === 'system');
          isSystemUnwritten = systemMessage !== undefined && systemMessage.text !== storedSystem?.text;
          system = isSystemUnwritten ? systemMessage : storedSystem;
          if (!memory) return;
          const problems: string[] = [];
          let known = repairHistory(stored, (place, problem) => problems.push(`messages[${place}] ${problem}`)).filter(
            isNoSystem,
          );
          if (problems.length > 0) onBroken(problems);
          // Written already by the invocation that goes on here: the model gets it as it got it before.
          const isChanged = isInDoubt && !isSaid(stored, before);
          const kept = isChanged ? keptCount(known, asKept(0, unwritten), asKept(unwritten)) : 0;
          unwritten = placeBehind(kept);
          // A store in which writes fail need not know what was undone.
          if (kept > 0) known = known.map(replaced);
          isInDoubt = false;
          const written = history.slice(0, unwritten);
          const own = written.slice(written.lastIndexOf(question)).filter((message) => !unstored.has(message));
          if (own[0] === question) known = ownLast(known, { own, kept: keptQuestion, calls });
          unstored.putBack(written, known);
          history = [...known, ...history.slice(unwritten)];
          // Where a provider repeats ids, others may have used those of this invocation since.
          if (calls.size > 0) history = uniqueCalls(history, rename);
          // Those of calls that the window has let go of stay taken.
          if (ids) for (const { id } of known.flatMap(callsOf)) ids.add(id);
          unwritten = known.length;
        }),
        ignoreElements(),
      ),

    ask(shown, kept) {
      history = history.map((message) => (message === question ? shown : message));
      question = shown;
      keptQuestion = kept;
    },

    messages: () =>
      defer(() => (memory?.fit ? unstored.fitted(all(), (shown) => memory.fit!(shown)).pipe(tap(forgetEvicted)) : of(all()))),

    unfitted: () => (memory?.fit ? undefined : all()),

    add(unit) {
      history.push(...unit);
      for (const call of unit.flatMap(callsOf)) {
        calls.set(call.id, call);
        ids?.add(call.id);
      }
    },

    takeBackAnswer() {
      const last = history.at(-1);
      if (history.length > unwritten && last?.role === 'assistant' && last.toolExecutionRequests.length === 0)
        takenBack = history.pop();
    },

    addUnstored(messages) {
      unstored.add(messages);
      history.push(...messages);
    },

    replaceResults: (results) =>
      defer(() => {
        for (const [id, result] of results) {
          const known = renamed.get(id) ?? id;
          replacements.set(known, { ...result, id: known });
        }
        const isWritten = history.slice(0, unwritten).some((message) => replaced(message) !== message);
        history = history.map(replaced);
        if (!isWritten && !isInDoubt) return EMPTY;
        // A write that failed may have kept the answer, which is none any more.
        return rewrite((kept) => (isSaid(kept.at(-1), takenBack) ? kept.slice(0, -1) : kept).map(replaced));
      }),

    write: () =>
      defer(() => {
        const end = history.length;
        const batch = asKept(unwritten, end);
        if (!memory || batch.length === 0) return EMPTY;
        isInDoubt = true;
        const lead = isSystemUnwritten ? [system!] : [];
        // A changed system message takes the place of the old one, which `add` can't do in every memory.
        const replaces = isSystemUnwritten && stored.length > 0;
        // Read again: another process may have added to it since.
        const write$ = replaces
          ? rewrite((kept) => [...lead, ...kept.filter(isNoSystem), ...batch])
          : fromTask(() => memory.add([...lead, ...batch]));
        return write$.pipe(
          tap({
            complete: () => {
              unwritten = end;
              isSystemUnwritten = false;
              isInDoubt = false;
            },
          }),
        );
      }),

    callIds: () => (ids ??= new Set(history.flatMap(callsOf).map(({ id }) => id))),
  };
}

const isNoSystem = ({ role }: ChatMessage) => role !== 'system';

function callsOf(message: ChatMessage): readonly ToolExecutionRequest[] {
  return message.role === 'assistant' ? message.toolExecutionRequests : [];
}
