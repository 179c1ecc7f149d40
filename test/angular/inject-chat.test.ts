// @vitest-environment jsdom
import { throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guardrail } from '../../src/chat/guardrail-result.ts';
import { injectChat } from '../../src/angular/inject-chat.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { tool } from '../../src/tool/tool.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { chatOf, scripted, shown, watch } from './chats.ts';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';

const failure = (message: string) => throwError(() => new Error(message));

describe('a chat', () => {
  it('shows the text as it streams, and its status', () => {
    runMarbles(({ model, record }) => {
      const { chat } = scripted(model(['--h-i|']));
      record(chat.text$, (text) => text.at(-1) ?? '0').toBe('0-h-i');
      const letters = { idle: 'i', submitted: 's', streaming: 't', error: 'e' };
      record(chat.status$, (status) => letters[status]).toBe('s-t--i');
      chat.send('Hello');
    });
  });

  it('has each of its values as a signal and as an Observable', () => {
    runMarbles(({ model, at, record }) => {
      const { chat } = scripted(model(['-h|']));
      record(chat.messages$, (messages) => String(messages.length)).toBe('222');
      chat.send('Hello');
      expect(shown(chat)).toEqual(['user sent: Hello', 'assistant submitted:']);
      at(1, () => {
        expect(chat.text()).toBe('h');
        expect(chat.status()).toBe('streaming');
      });
      at(3, () => {
        expect(chat.status()).toBe('idle');
        expect(shown(chat)).toEqual(['user sent: Hello', 'assistant done: h']);
        expect(chat.invocation()?.id).toEqual(expect.any(String));
      });
    });
  });

  it('shows tool calls from the moment the model writes them to their end, in the order of what was said', () => {
    const seen: string[] = [];
    runMarbles(({ model, tool: toolOf, at }) => {
      const { chat } = scripted(model(['-t-A-~|', '-z|']), { tools: [toolOf('a', '--p--r|')] });
      watch(chat.toolCalls$, (calls) =>
        seen.push(calls.map(({ status, progress, result }) => `${status} ${String(progress)} ${result}`).join()),
      );
      chat.send('Go');
      at(20, () => expect(shown(chat)).toEqual(['user sent: Go', 'assistant done: t [a done] (~) z']));
    });
    expect(seen).toEqual([
      '',
      'waiting undefined undefined',
      'running undefined undefined',
      'running p undefined',
      'running r undefined',
      'done r r',
    ]);
  });

  it('shows the arguments of a call while they are written', () => {
    const seen: string[] = [];
    const part = (partialArguments: string) =>
      ({ type: 'partialToolCall', index: 0, id: 'A', name: 'a', partialArguments }) as const;
    runMarbles(({ model, tool: toolOf }) => {
      const script = { calls: { A: { name: 'a', arguments: '{"x":1}' } }, events: { p: part('{"x'), q: part('":1}') } };
      const { chat } = scripted(model(['-p-q-A|', '-z|'], script), { tools: [toolOf('a', '-r|')] });
      watch(chat.toolCalls$, (calls) => seen.push(...calls.map(({ status, arguments: args }) => `${status} ${args}`)));
      chat.send('Go');
    });
    expect([...new Set(seen)]).toEqual(['writing {"x', 'writing {"x":1}', 'waiting {"x":1}', 'running {"x":1}', 'done {"x":1}']);
  });

  it('asks for approvals, lets a call run, and tells the model why another may not', () => {
    const remove = tool({ name: 'a', needsApproval: true, execute: () => 'removed' });
    const script = scriptedModel([[{ call: 'a' }, { call: 'a' }], ['Done.']]);
    const { chat } = scripted(script, { tools: [remove] });
    chat.send('Go');
    const [first, second] = chat.approvals();
    expect(chat.status()).toBe('streaming');
    expect([first!.approve(), second!.deny('Not that one.')]).toEqual([true, true]);
    expect([first!.approve(), second!.deny()]).toEqual([false, false]);
    expect(chat.approvals()).toEqual([]);
    expect(chat.toolCalls().map(({ status, result }) => `${status}: ${result}`)).toEqual([
      'done: removed',
      expect.stringMatching(/^denied: .*Not that one\./),
    ]);
    expect(shown(chat).at(-1)).toBe('assistant done: [a done] [a denied] Done.');
  });

  it('ends what runs when it is stopped: the request is left and so is the tool; what was said stays', () => {
    runMarbles(({ model, tool: toolOf, at, expectSubscriptions }) => {
      const answers = model(['-t-A-B--|']);
      const slow = toolOf('a', '---------r|');
      const { chat } = scripted(answers, { tools: [slow, toolOf('b', '-r|')], toolConcurrency: 1 });
      chat.send('Go');
      at(6, () => chat.stop());
      expectSubscriptions(answers).toBe('^-----!');
      expectSubscriptions(slow).toBe('---^--!');
      at(7, () => {
        expect(chat.status()).toBe('idle');
        expect(shown(chat).at(-1)).toBe('assistant stopped: t [a stopped] [b notRun]');
      });
    });
  });

  it('can end one call alone, and the model is told', () => {
    runMarbles(({ model, tool: toolOf, at }) => {
      const { chat } = scripted(model(['-A|', '-z|']), { tools: [toolOf('a', '---------r|')] });
      chat.send('Go');
      at(3, () => expect(chat.cancelToolCall(chat.toolCalls()[0]!.id)).toBe(true));
      at(9, () => {
        expect(shown(chat).at(-1)).toBe('assistant done: [a failed] z');
        expect(chat.cancelToolCall('A')).toBe(false);
      });
    });
  });

  it('tells of an error, and goes on from the last committed round when it is retried', () => {
    runMarbles(({ model, tool: toolOf, at }) => {
      const slow = toolOf('a', '-r|');
      const answers = model(['-t-A|', '-x#', '-z|']);
      const { chat } = scripted(answers, { tools: [slow] });
      chat.send('Go');
      at(8, () => {
        expect(chat.status()).toBe('error');
        expect(chat.error()?.message).toMatch(/connection was lost/);
        expect(shown(chat).at(-1)).toBe('assistant failed: t [a done] x');
        expect(chat.retry()).toBe(true);
        expect(chat.error()).toBeUndefined();
        expect(shown(chat).at(-1)).toBe('assistant submitted: t [a done]');
        expect(chat.retry()).toBe(false);
      });
      at(12, () => {
        expect(shown(chat)).toEqual(['user sent: Go', 'assistant done: t [a done] z']);
        expect(answers.requests).toHaveLength(3);
        expect(slow.subscriptions()).toHaveLength(1);
        expect(chat.retry()).toBe(false);
      });
    });
  });

  it('keeps the calls of a failed round that ran, and goes on behind them', () => {
    const answers = scriptedModel([['Well.', { call: 'a' }], ['Done.']]);
    const { chat } = scripted(answers, { tools: [tool({ name: 'a', execute: () => failure('no disk') })] });
    chat.send('Go');
    expect(shown(chat).at(-1)).toBe('assistant failed: Well. [a failed]');
    expect(chat.toolCalls()[0]!.execution?.error?.message).toBe('no disk');
    chat.retry();
    expect(shown(chat).at(-1)).toBe('assistant done: Well. [a failed] Done.');
  });

  it('has nothing under way when it is stopped, whenever that is', () => {
    const open = ['submitted', 'streaming', 'writing', 'waiting', 'awaitingApproval', 'running'];
    for (let frame = 0; frame < 24; frame++)
      runMarbles(({ model, tool: toolOf, at }) => {
        const answers = model(['-t-A-B|', '-#', '-z-C|', '-y|']);
        const asked = tool({ name: 'c', needsApproval: true, execute: () => 'r' });
        const tools = [toolOf('a', '--p--r|'), toolOf('b', '-#'), asked];
        const { chat } = scripted(answers, { tools, toolExecutionErrorHandler: () => 'failed', toolConcurrency: 1 });
        chat.send('Go');
        at(13, () => chat.retry());
        at(frame, () => {
          chat.stop();
          const all = [
            chat.status(),
            ...chat.messages().map(({ status }) => status),
            ...chat.toolCalls().map(({ status }) => status),
          ];
          expect(all.filter((status) => open.includes(status))).toEqual([]);
          expect(chat.approvals()).toEqual([]);
        });
        at(40, () => expect(answers.subscriptions().every((span) => span.includes('!'))).toBe(true));
      });
  });

  it('asks once more what was stopped', () => {
    runMarbles(({ model, at }) => {
      const { chat } = scripted(model(['-x---|', '-z|']));
      chat.send('Go');
      at(2, () => chat.stop());
      at(3, () => {
        expect(chat.retry()).toBe(true);
        expect(shown(chat)).toEqual(['user sent: Go', 'assistant submitted:']);
      });
      at(9, () => expect(shown(chat)).toEqual(['user sent: Go', 'assistant done: z']));
    });
  });

  it('drops what a round has streamed that is asked for again', () => {
    runMarbles(({ model, record }) => {
      const { chat } = scripted(model(['-x-#', '--z|']), { roundRetries: 1 });
      record(chat.text$, (text) => text || '0').toBe('0x-0-z');
      chat.send('Go');
    });
  });

  it('shows an answer that guardrails held back', () => {
    const { chat } = scripted([['It is ', 'fine.']], { outputGuardrails: [() => guardrail.success()] });
    chat.send('Go');
    expect(shown(chat).at(-1)).toBe('assistant done: It is fine.');
  });

  it('counts the tokens of the last answer, and has its object', () => {
    const usage = (inputTokens: number) => ({ tokenUsage: { inputTokens } });
    const script = scriptedModel([
      { marbles: '(A|)', response: usage(3) },
      {
        marbles: '(j|)',
        response: { ...usage(4), aiMessage: { role: 'assistant', text: '{"n":1}', toolExecutionRequests: [] } },
      },
    ]);
    runMarbles(({ at }) => {
      const { chat } = chatOf([
        provideFakeAiService(script, { tools: [tool({ name: 'a', execute: () => 'r' })], output: z.object({ n: z.number() }) }),
      ]);
      const counts: unknown[] = [];
      watch(chat.usage$, (counted) => counts.push(counted?.inputTokens));
      chat.send('Go');
      at(9, () => {
        expect(chat.error()).toBeUndefined();
        expect(counts).toEqual([undefined, 3, 7]);
        expect(chat.content()).toEqual({ n: 1 });
      });
    });
  });

  it('tells what was undone', () => {
    const credit = tool({ name: 'a', execute: () => 'credited', compensate: () => undefined });
    const debit = tool({
      name: 'b',
      execute: () => {
        throw toolErrorVisibleToLlm('too poor');
      },
    });
    const { chat } = scripted([[{ call: 'a' }, { call: 'b' }], ['Sorry.']], {
      tools: [credit, debit],
      compensateOnToolErrors: true,
    });
    chat.send('Go');
    expect(chat.toolCalls().map(({ compensation }) => compensation)).toEqual([{ reason: 'toolError' }, undefined]);
  });

  it('passes all events on', () => {
    const types: string[] = [];
    const { chat } = scripted([['Hi'], ['Ho']]);
    watch(chat.events$, ({ type }) => types.push(type));
    chat.send('Go');
    chat.send('Go');
    expect(types).toEqual(['partialResponse', 'finalResponse', 'partialResponse', 'finalResponse']);
  });

  it('says so when a question can not be asked, and goes on', () => {
    const { chat } = scripted([['Hi']]);
    chat.send({ role: 'user' } as never);
    expect([chat.status(), chat.error()?.name, shown(chat)]).toEqual(['error', 'ConfigurationError', []]);
    chat.send('Go');
    expect([chat.status(), chat.error(), shown(chat).length]).toEqual(['idle', undefined, 2]);
  });

  it('needs an injection context', () => {
    expect(() => injectChat()).toThrow(/injection context/);
  });
});
