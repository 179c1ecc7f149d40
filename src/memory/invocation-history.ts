import type { ChatMessage, ToolExecutionRequest, ToolExecutionResultMessage, UserMessage } from '../chat/message.ts';
import { keptCount } from './kept-count.ts';
import { ownCalls } from './own-calls.ts';
import { ownLast } from './own-last.ts';
import { uniqueCalls } from './unique-calls.ts';
import { unstoredMessages, type UnstoredMessages } from './unstored-messages.ts';

/** The messages of one invocation: what memory knows of them, and behind it what it does not. Without the system message. */
export interface InvocationHistory {
  /** All of them; the list grows with what is added. */
  messages(): readonly ChatMessage[];
  readonly unstored: UnstoredMessages;
  /** Puts another message in the place of the user's: the one that the model gets, and the one that memory keeps. */
  ask(shown: UserMessage, kept: UserMessage): void;
  add(unit: readonly ChatMessage[]): void;
  addUnstored(messages: readonly ChatMessage[]): void;
  /** Takes back the answer, where it is last and memory does not know it. */
  takeBackAnswer(): ChatMessage | undefined;
  /** Puts other results in the place of those with the same ids. Whether memory knows one of those. */
  replaceResults(results: ReadonlyMap<string, ToolExecutionResultMessage>): boolean;
  /** A message of the memory as it is now. */
  replaced(message: ChatMessage): ChatMessage;
  /** What memory does not know, as it gets it. */
  unwritten(): readonly ChatMessage[];
  /** Memory knows so many of the messages. */
  written(count: number): void;
  /**
   * Goes on behind what memory holds now, which is changed here. `isInDoubt`: that may have come by a write which is said to have
   * failed.
   */
  goOn(known: ChatMessage[], isInDoubt: boolean): void;
  /** Forgets what a memory does not keep any more, by what is left of all. */
  forgetEvicted(kept: readonly ChatMessage[]): void;
  /** The ids of all calls so far; kept up to date. */
  callIds(): ReadonlySet<string>;
}

export function invocationHistory(userMessage: UserMessage): InvocationHistory {
  let question = userMessage;
  /** The question as memory keeps it. */
  let keptQuestion = userMessage;
  let messages: ChatMessage[] = [userMessage];
  /** Where in `messages` begins what the memory does not know. */
  let unwritten = 0;
  const unstored = unstoredMessages();
  const calls = ownCalls();
  /** Of all calls. Made when the first call asks for it: most conversations of one question never do. */
  let ids: Set<string> | undefined;

  const isForMemory = (message: ChatMessage) => !unstored.has(message);
  /** A part of the messages as memory gets it. */
  const asKept = (from: number, to?: number) =>
    messages
      .slice(from, to)
      .filter(isForMemory)
      .map((message) => (message === question ? keptQuestion : message));

  /** Where in `messages` stands what follows so many of those that memory does not know. */
  const placeBehind = (count: number) => {
    let place = unwritten;
    for (let left = count; left > 0; place++) if (isForMemory(messages[place]!)) left--;
    return place;
  };

  const callIds = () => (ids ??= new Set(messages.flatMap(callsOf).map(({ id }) => id)));

  return {
    messages: () => messages,
    unstored,

    ask(shown, kept) {
      messages = messages.map((message) => (message === question ? shown : message));
      question = shown;
      keptQuestion = kept;
    },

    add(unit) {
      messages.push(...unit);
      for (const call of unit.flatMap(callsOf)) {
        calls.add(call);
        ids?.add(call.id);
      }
    },

    addUnstored(added) {
      unstored.add(added);
      messages.push(...added);
    },

    takeBackAnswer() {
      const last = messages.at(-1);
      const isAnswer = last?.role === 'assistant' && last.toolExecutionRequests.length === 0;
      return isAnswer && messages.length > unwritten ? messages.pop() : undefined;
    },

    replaceResults(results) {
      calls.replaceResults(results);
      const isWritten = messages.slice(0, unwritten).some((message) => calls.now(message) !== message);
      messages = messages.map(calls.now);
      return isWritten;
    },
    replaced: calls.now,

    unwritten: () => asKept(unwritten),
    written: (count) => void (unwritten = count),

    goOn(known, isInDoubt) {
      // Written already by the invocation that goes on here: the model gets it as it got it before.
      const kept = isInDoubt ? keptCount(known, asKept(0, unwritten), asKept(unwritten)) : 0;
      unwritten = placeBehind(kept);
      const before = messages.slice(0, unwritten);
      // A store in which writes fail need not know what was undone.
      let read = kept > 0 ? known.map(calls.now) : known;
      const own = before.slice(before.lastIndexOf(question)).filter(isForMemory);
      if (own[0] === question) read = ownLast(read, { own, kept: keptQuestion, calls: calls.byId });
      unstored.putBack(before, read);
      messages = [...read, ...messages.slice(unwritten)];
      // Where a provider repeats ids, others may have used those of this invocation since.
      if (calls.byId.size > 0) messages = uniqueCalls(messages, calls.rename);
      // Those of calls that the window has let go of stay taken.
      if (ids) for (const { id } of read.flatMap(callsOf)) ids.add(id);
      unwritten = read.length;
    },

    // What the window has let go of is not asked about again: else each round would pay for all that went before.
    forgetEvicted(kept) {
      const known = messages.slice(0, unwritten);
      const fitting = new Set(kept);
      const left = known.filter((message) => fitting.has(message));
      // A memory that hands out copies tells nothing of what it has let go of.
      const isCopied = left.length === 0 && kept.length > messages.length - unwritten + 1;
      if (left.length === known.length || isCopied) return;
      // The store may know more than it shows: what is forgotten here stays taken.
      callIds();
      messages = [...left, ...messages.slice(unwritten)];
      unwritten = left.length;
    },

    callIds,
  };
}

function callsOf(message: ChatMessage): readonly ToolExecutionRequest[] {
  return message.role === 'assistant' ? message.toolExecutionRequests : [];
}
