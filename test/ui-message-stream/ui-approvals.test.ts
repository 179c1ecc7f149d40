import { Subject, asyncScheduler, lastValueFrom, take, takeUntil, toArray } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../src/chat/configuration-error.ts';
import type { UserMessage } from '../../src/chat/message.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { InvocationCancelledError } from '../../src/service/service-errors.ts';
import type { Invocation } from '../../src/service/start-invocation.ts';
import type { ScriptedAnswer } from '../../src/testing/scripted-answer.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';
import { runMarbles, type MarbleKit } from '../../src/testing/run-marbles.ts';
import { uiApprovals, type UiApprovals, type UiDecision, type UiMessageChunk } from '../../src/ui-message-stream/index.ts';

afterEach(() => vi.restoreAllMocks());

const userMessage: UserMessage = { role: 'user', contents: [{ type: 'text', text: 'Go' }] };
const symbols: Partial<Record<UiMessageChunk['type'], string>> = {
  start: 's',
  'start-step': '[',
  'finish-step': ']',
  'text-start': 'b',
  'text-delta': 't',
  'text-end': 'd',
  'tool-input-available': 'A',
  'tool-approval-request': '?',
  'tool-output-available': 'a',
  'tool-output-denied': 'n',
  'tool-output-error': 'e',
  finish: 'f',
  abort: '!',
  error: '#',
};
// Progress is no matter here.
const symbol = (chunk: UiMessageChunk) => ('preliminary' in chunk ? '.' : (symbols[chunk.type] ?? '*'));

interface Asked {
  readonly approvals: UiApprovals;
  readonly ask: (chat?: string) => ReturnType<UiApprovals['answer']>;
  /** Decides on the calls of the chat's invocation, by their ids. */
  readonly decide: (decisions: Readonly<Record<string, boolean>>, chat?: string) => ReturnType<UiApprovals['answer']>;
}

function asked(service: AiService, options: Parameters<typeof uiApprovals>[0] = {}): Asked {
  const approvals = uiApprovals(options);
  const running = new Map<string, string>();
  return {
    approvals,
    ask: (chat = 'c') =>
      approvals.answer(chat, { userMessage, decisions: [] }, (message) => {
        const invocation = service.start(message);
        running.set(chat, invocation.id);
        return invocation;
      }),
    decide: (wanted, chat = 'c') =>
      approvals.answer(
        chat,
        {
          get decisions(): readonly UiDecision[] {
            return Object.entries(wanted).map(([toolCallId, approved]) => {
              return { approvalId: `${running.get(chat)}/${toolCallId}`, toolCallId, approved };
            });
          },
        },
        () => expect.unreachable('nothing starts'),
      ),
  };
}

const needing = ({ model, tool }: MarbleKit, answers: readonly string[]) => {
  const send = tool('a', '--v|', { needsApproval: true });
  const scripted = model(answers);
  return { scripted, send, service: aiService({ model: scripted, tools: [send, tool('b', '-----w|')] }) };
};

const send = tool({ name: 'send', needsApproval: true, execute: () => 'sent' });

/** Leaves the first or the second of three responses behind so many chunks: what they told, and how many wait behind each. */
async function leaving(answers: readonly ScriptedAnswer[], at: { first?: number; second?: number } = {}) {
  const model = scriptedModel(answers, { calls: { A: { name: 'send' } } });
  const service = aiService({ model, tools: [send] });
  const approvals = uiApprovals();
  const told = async (posted: Parameters<UiApprovals['answer']>[1], count = Infinity) => {
    const answer = approvals.answer('c', posted, (message) => service.start(message));
    return lastValueFrom(answer.pipe(take(count), toArray()), { defaultValue: [] });
  };
  const first = await told({ userMessage, decisions: [] }, at.first);
  const sizes = [approvals.size];
  const second = await told({ decisions: decided(first) }, at.second);
  sizes.push(approvals.size);
  approvals.clear();
  return { first: first.map(({ type }) => type), second: second.map(({ type }) => type), sizes };
}

const decided = (chunks: readonly UiMessageChunk[]) =>
  chunks.flatMap((chunk): readonly UiDecision[] =>
    chunk.type === 'tool-approval-request'
      ? [{ approvalId: chunk.approvalId, toolCallId: chunk.toolCallId, approved: true }]
      : [],
  );

describe('a conversation with approvals', () => {
  it('ends its response when nothing goes on without the user, and goes on with the next request', () => {
    runMarbles((kit) => {
      const { send, service } = needing(kit, ['-A-B-|', '-z|']);
      const { approvals, ask, decide } = asked(service);
      kit.record(ask(), symbol).toBe('s([A?)-A----.(a]f|)');
      kit.at(20, () => expect(approvals.size).toBe(1));
      kit.record(decide({ A: true }), symbol, `${'-'.repeat(30)}^`).toBe(`${'-'.repeat(30)}s-.a([bt)(d]f|)`);
      kit.expectSubscriptions(send).toBe(`${'-'.repeat(30)}^--!`);
    });
  });

  it('waits for the model and all free calls before it asks for an answer', () => {
    runMarbles((kit) => {
      const { service } = needing(kit, ['-A----t-|', '-z|']);
      kit.record(asked(service).ask(), symbol).toBe('s([A?)----(bt)-(d]f|)');
    });
  });

  it('tells of a denial, and the model answers', () => {
    runMarbles((kit) => {
      const { send, service } = needing(kit, ['A|', '-z|']);
      const { ask, decide } = asked(service);
      kit.record(ask(), symbol).toBe('(s[A?)(]f|)');
      kit.record(decide({ A: false }), symbol, '-----^').toBe('-----(sn)([bt)(d]f|)');
      kit.expectSubscriptions(send).toBe();
    });
  });

  it('cancels the invocation when the client leaves a response, and not when it waits', () => {
    runMarbles((kit) => {
      const { scripted, service } = needing(kit, ['-t-----|']);
      const { approvals, ask } = asked(service);
      kit.record(ask(), symbol, '^--!').toBe('s([bt)-');
      kit.expectSubscriptions(scripted).toBe('^--!');
      kit.at(9, () => expect(approvals.size).toBe(0));
    });
  });

  it('cancels an invocation whose user does not come, and tells the one who comes too late', () => {
    runMarbles((kit) => {
      const { service } = needing(kit, ['A|']);
      const { approvals, ask, decide } = asked(service, { waitingTime: 100 });
      kit.record(ask(), symbol);
      kit.at(99, () => expect(approvals.size).toBe(1));
      kit.at(102, () => expect(approvals.size).toBe(0));
      kit
        .record(decide({ A: true }), (chunk) => ('errorText' in chunk ? chunk.errorText[0]! : 's'), `${'-'.repeat(110)}^`)
        .toBe(`${'-'.repeat(110)}(sN|)`);
    });
  });

  it('cancels the one that has waited longest when there are too many', () => {
    runMarbles((kit) => {
      const { service } = needing(kit, ['A|', 'A|', 'A|', 'z|']);
      const { approvals, ask, decide } = asked(service, { maxWaiting: 2 });
      kit.record(ask('1'), symbol);
      kit.record(ask('2'), symbol, '--^');
      kit.record(ask('3'), symbol, '----^');
      kit.at(9, () => expect(approvals.size).toBe(2));
      kit.record(decide({ A: true }, '1'), symbol, '----------^').toBe('----------(s#|)');
      kit.at(12, () => approvals.clear());
      kit.at(13, () => expect(approvals.size).toBe(0));
    });
  });

  it('takes a decision once, and one for another call not at all', () => {
    runMarbles((kit) => {
      const { send, service } = needing(kit, ['A|', '-z|']);
      const { approvals, ask, decide } = asked(service);
      kit.record(ask(), symbol);
      kit.record(decide({ X: true }), symbol, '--^').toBe('--(s#|)');
      kit.at(3, () => expect(approvals.size).toBe(1));
      kit.record(decide({ A: true }), symbol, '-----^');
      kit.record(decide({ A: true }), symbol, '------^').toBe('------(s#|)');
      kit.expectSubscriptions(send).toBe('-----^--!');
    });
  });

  it('decides on several calls at once, and waits again for those that are left', () => {
    runMarbles((kit) => {
      const send = kit.tool('a', '--v|', { needsApproval: true });
      const calls = { B: { name: 'a', id: 'B' }, C: { name: 'a', id: 'C' } };
      const service = aiService({ model: kit.model(['ABC|', 'z|'], { calls }), tools: [send], toolConcurrency: 1 });
      const { ask, decide } = asked(service);
      kit.record(ask(), symbol).toBe('(s[A?)(A?)(A?)(]f|)');
      kit.record(decide({ A: true, B: true }), symbol, '----------^');
      kit.record(decide({ C: false }), symbol, `${'-'.repeat(30)}^`);
      kit.expectSubscriptions(send).toBe('----------^--!', '-------------^--!');
    });
  });

  it.each([
    ['at once', [['Well. ', { call: 'send' }], ['Again. ', { call: 'send' }], ['Done.']]],
    ['in their own time', ['tA|', '-t-A-|', 't|']],
  ])('keeps nothing for a client that leaves before the last chunk of answers that come %s', async (_, answers) => {
    const whole = await leaving(answers);
    expect(whole.first.at(-1)).toBe('finish');
    expect(whole.sizes).toEqual([1, 1]);
    for (let count = 1; count < whole.first.length; count++)
      expect([count, (await leaving(answers, { first: count })).sizes[0]]).toEqual([count, 0]);
    for (let count = 1; count < whole.second.length; count++)
      expect([count, (await leaving(answers, { second: count })).sizes[1]]).toEqual([count, 0]);
  });

  it('keeps nothing for a client that leaves while its invocation begins', () => {
    const service = aiService({ model: scriptedModel([[{ call: 'send' }]]), tools: [send] });
    const approvals = uiApprovals();
    const begun: Invocation<unknown>[] = [];
    const left$ = new Subject<void>();
    approvals
      .answer('c', { userMessage, decisions: [] }, (message) => {
        begun.push(service.start(message));
        left$.next();
        return begun[0]!;
      })
      .pipe(takeUntil(left$))
      .subscribe();
    const errors: unknown[] = [];
    begun[0]!.events$.subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toEqual([expect.any(InvocationCancelledError)]);
    expect(approvals.size).toBe(0);
  });

  it('waits with an answer that was cut, too', async () => {
    const cut: ScriptedAnswer = { marbles: 'A|', response: { finishReason: 'length' } };
    const whole = await leaving([cut, 't|']);
    expect([whole.first.at(-1), whole.second.at(-1), whole.sizes]).toEqual(['finish', 'finish', [1, 0]]);
  });

  it.each([true, false])('tells how a call inside a tool that is a service went on, approved: %s', (approved) => {
    const inner = aiService({ model: scriptedModel([[{ call: 'send' }], ['Well.']]), tools: [send] });
    const outer = aiService({
      model: scriptedModel([[{ call: 'in', arguments: { input: '' } }], ['Done.']]),
      tools: [inner.asTool({ name: 'in' })],
    });
    const approvals = uiApprovals();
    const told = (posted: Parameters<UiApprovals['answer']>[1]) => {
      const seen: UiMessageChunk[] = [];
      approvals
        .answer('c', posted, (message) => outer.start(message))
        .subscribe({ next: (chunk) => seen.push(chunk), error: expect.unreachable });
      return seen;
    };
    const first = told({ userMessage, decisions: [] });
    expect(first.map(symbol).join('')).toBe('s[AaA?]f');
    expect(approvals.size).toBe(1);
    const second = told({ decisions: decided(first).map((decision) => ({ ...decision, approved })) });
    expect(second.map(symbol).join('')).toBe(approved ? 'saa[btd]f' : 'sna[btd]f');
  });

  it('forgets an invocation that ends while it waits, and tells the user who decides', () => {
    const service = aiService({ model: scriptedModel([[{ call: 'send' }]]), tools: [send] });
    const approvals = uiApprovals();
    const begun: Invocation<unknown>[] = [];
    const start = (message: UserMessage) => (begun[0] = service.start(message));
    approvals.answer('c', { userMessage, decisions: [] }, start).subscribe();
    expect(approvals.size).toBe(1);
    begun[0]!.cancel();
    expect(approvals.size).toBe(0);
    const seen: UiMessageChunk[] = [];
    const decisions = [{ approvalId: `${begun[0]!.id}/x`, toolCallId: 'x', approved: true }];
    approvals.answer('c', { decisions }, start).subscribe({ next: (chunk) => seen.push(chunk), error: expect.unreachable });
    expect(seen).toEqual([
      { type: 'start' },
      { type: 'error', errorText: 'Nobody waits for this decision any more. Ask again.' },
    ]);
  });

  it('tells of an invocation that can not start', () => {
    const seen: UiMessageChunk[] = [];
    const broken = () => {
      throw new Error('secret');
    };
    uiApprovals()
      .answer('c', { userMessage, decisions: [] }, broken)
      .subscribe({ next: (chunk) => seen.push(chunk), error: expect.unreachable });
    expect(seen).toEqual([{ type: 'start' }, { type: 'error', errorText: 'An error occurred.' }]);
  });

  it.each([[undefined], [null], [''], [' '], [{}], [7]])('refuses %j as the id of a chat: others would share it', (id) => {
    const approvals = uiApprovals();
    const answer = () => approvals.answer(id as never, { userMessage, decisions: [] }, () => expect.unreachable());
    expect(answer).toThrow(TypeError);
    expect(answer).toThrow('The id of the chat must be a text');
  });

  it.each([
    ['a promise', () => Promise.reject(new Error('unread'))],
    ['something else', () => new Subject()],
  ])('logs that start gives %s, and tells the user nothing of it', (what, start) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const seen: UiMessageChunk[] = [];
    uiApprovals()
      .answer('c', { userMessage, decisions: [] }, start as never)
      .subscribe({ next: (chunk) => seen.push(chunk), error: expect.unreachable });
    expect(seen).toEqual([{ type: 'start' }, { type: 'error', errorText: 'An error occurred.' }]);
    expect(log.mock.calls).toEqual([[expect.stringContaining('onError'), expect.any(ConfigurationError)]]);
    expect(String(log.mock.calls[0]![1])).toContain(what);
  });

  it('goes on where isDynamic and messageMetadata throw', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = () => {
      throw new Error('of a callback');
    };
    const service = aiService({ model: scriptedModel([[{ call: 'send' }]]), tools: [send] });
    const approvals = uiApprovals({ isDynamic: broken, messageMetadata: broken });
    const seen: UiMessageChunk[] = [];
    approvals
      .answer('c', { userMessage, decisions: [] }, (message) => service.start(message))
      .subscribe({ next: (chunk) => seen.push(chunk), error: expect.unreachable });
    expect(seen.map(symbol).join('')).toBe('s[A?]f');
    expect(approvals.size).toBe(1);
    expect(log.mock.calls.filter(([what]) => String(what).startsWith('isDynamic'))).toHaveLength(1);
    approvals.clear();
  });

  it('refuses options that can not work', () => {
    expect(() => uiApprovals({ maxWaiting: 0 })).toThrow('uiApprovals: maxWaiting is 0');
    expect(() => uiApprovals({ waitingTime: -1 })).toThrow('uiApprovals: waitingTime is -1');
    expect(() => uiApprovals({ messageId: 'x' } as never)).toThrow('messageId');
    expect(uiApprovals({ scheduler: asyncScheduler }).size).toBe(0);
  });
});
