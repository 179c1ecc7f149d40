// @vitest-environment jsdom
import { EnvironmentInjector, InjectionToken, createEnvironmentInjector, inject, runInInjectionContext } from '@angular/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withName } from '../../src/angular/features.ts';
import { injectAiService } from '../../src/angular/inject-ai-service.ts';
import { injectChat } from '../../src/angular/inject-chat.ts';
import { injectableTool } from '../../src/angular/injectable-tool.ts';
import { provideAiService } from '../../src/angular/provide-ai-service.ts';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { secondChat, shown } from './chats.ts';
import { TestBed } from './test-bed.ts';

const GREETING = new InjectionToken<string>('greeting');

const within = <T>(work: () => T) => TestBed.runInInjectionContext(work);

describe('provideAiService', () => {
  it('makes one service, when it is first asked for, in an injection context', () => {
    const systems: unknown[] = [];
    let made = 0;
    const options = () => {
      made += 1;
      return {
        model: scriptedModel([{ marbles: '(x|)', expects: ({ messages }) => systems.push(messages[0]) }]),
        systemMessage: inject(GREETING),
      };
    };
    TestBed.configureTestingModule({ providers: [{ provide: GREETING, useValue: 'Be kind.' }, provideAiService(options)] });
    expect(made).toBe(0);
    const [one, other] = [within(() => injectAiService()), within(() => injectAiService())];
    expect([made, one === other]).toEqual([1, true]);
    runMarbles(({ record }) => void record(one.text('Hi')).toBe('(x|)'));
    expect(systems).toEqual([{ role: 'system', text: 'Be kind.' }]);
  });

  it('has room for several, by name; events tell the name', () => {
    const names: unknown[] = [];
    const listeners = [({ invocation }: { invocation: { serviceName?: string } }) => names.push(invocation.serviceName)];
    TestBed.configureTestingModule({
      providers: [
        provideFakeAiService([['one']]),
        provideFakeAiService([['two'], ['two']], { listeners }, withName('sales')),
        provideFakeAiService([['three']], { listeners, name: 'desk' }, withName('support')),
      ],
    });
    const texts = [undefined, 'sales', 'support'].map((service) => {
      const { chat } = secondChat(service === undefined ? {} : { service });
      chat.send('Hi');
      return chat.text();
    });
    expect(texts).toEqual(['one', 'two', 'three']);
    expect([...new Set(names)]).toEqual(['sales', 'desk']);
  });

  it('of a route hides that of the application, and leaves the others', () => {
    TestBed.configureTestingModule({
      providers: [provideFakeAiService([['app']]), provideFakeAiService([['sales']], {}, withName('sales'))],
    });
    const route = createEnvironmentInjector([provideFakeAiService([['route']])], TestBed.inject(EnvironmentInjector));
    const texts = [{}, { service: 'sales' }].map((options) => {
      const chat = runInInjectionContext(route, () => injectChat(options));
      chat.send('Hi');
      return chat.text();
    });
    expect(texts).toEqual(['route', 'sales']);
  });

  it('tells what is missing in its options, and not that it is missing itself', () => {
    TestBed.configureTestingModule({
      providers: [provideAiService(() => ({ model: scriptedModel([]), systemMessage: inject(GREETING) }))],
    });
    expect(() => within(() => injectChat())).toThrow(/No provider .*greeting/);
  });

  it('can not be injected by its own options', () => {
    const options = () => ({ model: scriptedModel([]), tools: [injectAiService().asTool({ name: 'self' })] });
    TestBed.configureTestingModule({ providers: [provideAiService(options)] });
    expect(() => within(() => injectAiService())).toThrow(/the options of the service inject the service that they are for/);
  });

  it('is told of what is wrong, and what to do', () => {
    expect(() => within(() => injectAiService())).toThrow(
      /there is no AI service here; add provideAiService\(\{ … \}\) to the providers/,
    );
    expect(() => within(() => injectChat({ service: 'sales' }))).toThrow(/no AI service named sales here; .*withName\('sales'\)/);
    expect(() => withName(' ')).toThrow(/withName: name is " "/);
    expect(() => provideAiService({ model: scriptedModel([]) }, withName as never)).toThrow(/provideAiService: a feature/);
    TestBed.resetTestingModule();
    TestBed.configureTestingModule({ providers: [provideFakeAiService([], { tolls: [] } as never)] });
    expect(() => within(() => injectChat())).toThrow(/unknown option tolls/);
    const service = aiService({ model: scriptedModel([]) });
    expect(() => within(() => injectChat({ service, flatten: 'merge' as never }))).toThrow(
      /flatten is "merge"; it must be one of switch, concat, exhaust/,
    );
    expect(() => within(() => injectChat({ service, memory: 1 } as never))).toThrow(/unknown option memory/);
    expect(() => within(() => injectChat({ service: 7 as never }))).toThrow(/service is 7; it must be a name or an AI service/);
  });

  it('need not be there for a service that one has', () => {
    const chat = within(() => injectChat({ service: aiService({ model: scriptedModel([['x']]) }) }));
    chat.send('Hi');
    expect(shown(chat)).toEqual(['user sent: Hi', 'assistant done: x']);
  });
});

describe('injectableTool', () => {
  it('injects where it runs, undoes, and asks for approval, from where it was made', () => {
    const seen: string[] = [];
    const model = scriptedModel([[{ call: 'greet', arguments: { name: 'Ada' } }, { call: 'fail' }], ['Done.']]);
    const options = () => ({
      model,
      compensateOnToolErrors: true,
      approveToolExecution: () => true,
      tools: [
        injectableTool({
          name: 'greet',
          parameters: z.object({ name: z.string() }),
          needsApproval: ({ name }) => seen.push(`may ${inject(GREETING)} ${name}`) > 0,
          execute: ({ name }) => `${inject(GREETING)} ${name}`,
          compensate: ({ resultObject, arguments: args }) =>
            void seen.push(`${inject(GREETING)} no more: ${resultObject} ${args?.name}`),
        }),
        injectableTool({
          name: 'fail',
          execute: () => {
            throw toolErrorVisibleToLlm(`no ${inject(GREETING)}`);
          },
        }),
      ],
    });
    TestBed.configureTestingModule({ providers: [{ provide: GREETING, useValue: 'hello' }, provideAiService(options)] });
    const { chat } = secondChat();
    chat.send('Go');
    expect(chat.toolCalls().map(({ result }) => result)).toEqual(['hello Ada', 'no hello']);
    expect(seen).toEqual(['may hello Ada', 'hello no more: hello Ada Ada']);
  });

  it('needs an injection context', () => {
    expect(() => injectableTool({ name: 'a', execute: () => 1 })).toThrow(/injection context/);
  });
});

describe('provideFakeAiService', () => {
  it('stands in the place of the real service, and tells what it was asked', () => {
    const model = scriptedModel([['x']]);
    TestBed.configureTestingModule({
      providers: [
        provideAiService({ model: scriptedModel([]) }),
        provideFakeAiService(model, () => ({ systemMessage: 'Be kind.' })),
      ],
    });
    const { chat } = secondChat();
    chat.send('Hi');
    expect([chat.text(), model.requests[0]!.messages.length]).toEqual(['x', 2]);
  });

  it('says so when the script can not be followed', () => {
    expect(() => provideFakeAiService([42 as never])).toThrow(/script/);
  });
});
