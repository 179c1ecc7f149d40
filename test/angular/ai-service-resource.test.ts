// @vitest-environment jsdom
import { ApplicationRef, PLATFORM_ID, signal } from '@angular/core';
import { EMPTY, of } from 'rxjs';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import { aiServiceResource } from '../../src/angular/ai-service-resource.ts';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { TestBed } from './test-bed.ts';

const settled = () => TestBed.inject(ApplicationRef).whenStable();

describe('aiServiceResource', () => {
  it('asks when there is something to ask, and anew when that changes', async () => {
    const model = scriptedModel([['It is ', 'fine.'], ['It rains.']]);
    TestBed.configureTestingModule({ providers: [provideFakeAiService(model)] });
    const question = signal<string | undefined>(undefined);
    const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: question }));
    await settled();
    expect([answer.status(), answer.value(), answer.isStreaming(), model.requests.length]).toEqual(['idle', undefined, false, 0]);
    question.set('Weather in Paris?');
    await settled();
    expect([answer.status(), answer.value(), answer.isStreaming()]).toEqual(['resolved', 'It is fine.', false]);
    question.set('And in Rome?');
    await settled();
    expect([answer.value(), model.requests.length]).toEqual(['It rains.', 2]);
  });

  it('asks nothing while the question is blank', async () => {
    const model = scriptedModel([]);
    TestBed.configureTestingModule({ providers: [provideFakeAiService(model)] });
    const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => ' ' }));
    await settled();
    expect([answer.status(), model.requests]).toEqual(['idle', []]);
  });

  it('narrows its value by hasValue()', async () => {
    TestBed.configureTestingModule({ providers: [provideFakeAiService([['fine']])] });
    const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => 'Hi' }));
    await settled();
    expectTypeOf(answer.value()).toEqualTypeOf<string | undefined>();
    expect(answer.hasValue() && answer.value().length).toBe(4);
  });

  it('tells that more may come, though its status is resolved', async () => {
    vi.useFakeTimers();
    try {
      TestBed.configureTestingModule({ providers: [provideFakeAiService(['--a-----b|'])] });
      const question = signal('Go');
      const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: question }));
      TestBed.tick();
      await vi.advanceTimersByTimeAsync(4);
      expect([answer.status(), answer.value(), answer.isStreaming()]).toEqual(['resolved', 'a', true]);
      await vi.advanceTimersByTimeAsync(10);
      expect([answer.status(), answer.value(), answer.isStreaming()]).toEqual(['resolved', 'ab', false]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives what is asked of the service, such as an object as it grows', async () => {
    const output = z.object({ city: z.string() });
    TestBed.configureTestingModule({ providers: [provideFakeAiService([['{"city":', '"Paris"}']], { output })] });
    const answer = TestBed.runInInjectionContext(() =>
      aiServiceResource<string, Partial<z.infer<typeof output>>, z.infer<typeof output>>({
        params: () => 'Where?',
        stream: (service, question) => service.partial(question),
      }),
    );
    await settled();
    expect(answer.value()).toEqual({ city: 'Paris' });
  });

  it('has an error where the invocation has one, and asks once more on reload()', async () => {
    TestBed.configureTestingModule({
      providers: [provideFakeAiService([{ marbles: '#', error: new Error('no model') }, ['x']])],
    });
    const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => 'Hi' }));
    await settled();
    expect([answer.status(), answer.error()?.message, answer.isStreaming()]).toEqual(['error', 'no model', false]);
    answer.reload();
    await settled();
    expect([answer.status(), answer.value()]).toEqual(['resolved', 'x']);
  });

  it('never ends in an error because nothing came', async () => {
    TestBed.configureTestingModule({ providers: [provideFakeAiService([])] });
    const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => 'Hi', stream: () => EMPTY }));
    await settled();
    expect([answer.status(), answer.value()]).toEqual(['resolved', undefined]);
  });

  it('leaves what runs when it is destroyed or asked something else', async () => {
    vi.useFakeTimers();
    try {
      const model = scriptedModel(['--a-----b|', '--c-----d|']);
      TestBed.configureTestingModule({ providers: [provideFakeAiService(model)] });
      const question = signal('one');
      const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: question }));
      TestBed.tick();
      await vi.advanceTimersByTimeAsync(4);
      question.set('two');
      TestBed.tick();
      await vi.advanceTimersByTimeAsync(4);
      expect([answer.value(), answer.isStreaming()]).toEqual(['c', true]);
      answer.destroy();
      await vi.advanceTimersByTimeAsync(20);
      expect(model.requests).toHaveLength(2);
      expect(model.subscriptions().every((span) => span.endsWith('!'))).toBe(true);
      expect(answer.isStreaming()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks nothing while a server renders the page, unless it is told to', async () => {
    const model = scriptedModel([['x']]);
    TestBed.configureTestingModule({ providers: [{ provide: PLATFORM_ID, useValue: 'server' }, provideFakeAiService(model)] });
    const idle = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => 'Hi' }));
    await settled();
    expect([idle.status(), model.requests.length]).toEqual(['idle', 0]);
    const asked = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => 'Hi', onServer: true }));
    await settled();
    expect(asked.value()).toBe('x');
  });

  it('streams no more when what was asked for can not be asked', async () => {
    TestBed.configureTestingModule({ providers: [provideFakeAiService([])] });
    const stream = () => {
      throw new Error('no view');
    };
    const answer = TestBed.runInInjectionContext(() => aiServiceResource({ params: () => 'Hi', stream }));
    await settled();
    expect([answer.status(), answer.error()?.message, answer.isStreaming()]).toEqual(['error', 'no view', false]);
  });

  it('is told of options that can not work', () => {
    TestBed.configureTestingModule({ providers: [provideFakeAiService([])] });
    const made = (options: object) => () => TestBed.runInInjectionContext(() => aiServiceResource(options as never));
    expect(made({})).toThrow(/params is undefined; it must be a function/);
    expect(made({ params: () => 'x', input: 1 })).toThrow(/unknown option input/);
    expect(made({ params: () => 'x', stream: of(1) })).toThrow(/stream is .*; it must be a function/);
  });
});
