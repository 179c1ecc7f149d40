import { describe, expect, it } from 'vitest';
import type { AiServiceErrorEvent } from '../../src/event/lifecycle-events.ts';
import { executorTool } from '../../src/tool/executor-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { ToolExecutionError } from '../../src/tool/tool-errors.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { outline, play, type Script } from './support.ts';

const own = new Error('disk full');
const notAnError: unknown = 'disk full';
const throwing = (thrown: unknown) =>
  tool({
    name: 'a',
    execute: () => {
      throw thrown;
    },
  });

const errorEvent = (script: Partial<Script>) => {
  const played = play({ rounds: ['A|', '#'], ...script });
  return { ...played, event: played.fired.find(({ type }) => type === 'error') as AiServiceErrorEvent };
};

describe('the tool that ends an invocation', () => {
  it('is named by the error event, which tells its request; the error is the own one of the tool', () => {
    const { event, error } = errorEvent({ tools: [throwing(own)] });
    expect(event.error).toBe(own);
    expect(error).toBe(own);
    expect(event.request).toMatchObject({ id: 'A', name: 'a' });
    expect(event.toJSON()['request']).toEqual(event.request);
    expect(Object.keys(own)).toEqual([]);
  });

  it.each([
    ['a tool', throwing('disk full')],
    [
      'an executor',
      executorTool({ name: 'a', parameters: {} }, () => {
        throw notAnError;
      }),
    ],
  ])('is named by the ToolExecutionError that stands for what is no Error, of %s', (_, made) => {
    const { error } = errorEvent({ tools: [made] });
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({ toolName: 'a', cause: 'disk full' });
  });

  it('is named by our wrapper, too, which handlers get as rawError', () => {
    const seen: unknown[] = [];
    errorEvent({ tools: [throwing(own)], toolExecutionErrorHandler: (_, { rawError }) => (seen.push(rawError), 'told') });
    expect(seen[0]).toMatchObject({ name: 'ToolExecutionError', toolName: 'a', cause: own });
  });

  it('is the first in request order, where several fail', () => {
    const tools = [scriptedTool('a', '--#'), scriptedTool('b', '#')];
    expect(errorEvent({ rounds: ['AB|'], tools }).event.request?.name).toBe('a');
  });

  it('is told to the model by its own message alone', () => {
    const { model } = errorEvent({ tools: [throwing('disk full')], legacy: true });
    expect(outline(model.requests[1]!.messages).at(-1)).toBe('A! The tool threw disk full');
  });

  it('is nobody where the model is to blame', () => {
    expect(errorEvent({ tools: [scriptedTool('a', 'r|')] }).event.request).toBeUndefined();
    expect(errorEvent({ rounds: ['#'] }).event.toJSON()).not.toHaveProperty('request');
  });
});
