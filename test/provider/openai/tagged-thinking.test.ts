import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ChatModelEvent } from '../../../src/chat/chat-model.ts';
import { openAiChat } from '../../../src/provider/openai/open-ai-chat.ts';
import { byteByByte, cutInTwo, quickFetchOf, type Answer } from '../../wire/wire-case.ts';
import { played, type Played } from '../played.ts';
import { request, sseBody } from './answers.ts';
import { call, calls, delta, finish, text, type Data } from './turns.ts';

const whole: Answer = { status: 200, headers: { 'content-type': 'text/event-stream' }, endsBy: 'close' };
const bytes = (...data: readonly Data[]) => [new TextEncoder().encode(sseBody(...data))];

function answered(chunks: readonly Uint8Array[], answer = whole): Promise<Played<ChatModelEvent>> {
  const scheduler = new VirtualTimeScheduler();
  const timeout = { firstByte: Infinity, idle: Infinity };
  const fetch = quickFetchOf(chunks, answer);
  const thinkingTags = ['<think>', '</think>'] as const;
  return played(openAiChat({ modelName: 'm', fetch, scheduler, timeout, maxRetries: 0, thinkingTags }).chat(request), scheduler);
}

/** What was told, in order, without the response. */
const toldOf = ({ values }: Played<ChatModelEvent>) =>
  values.flatMap((event) => {
    if (event.type === 'partialResponse') return [`text ${event.text}`];
    if (event.type === 'partialThinking') return [`thinking ${event.text}`];
    return event.type === 'completeToolCall' ? [`call ${event.request.name}`] : [];
  });

const responseOf = ({ values }: Played<ChatModelEvent>) => {
  const last = values.at(-1);
  return last?.type === 'completeResponse' ? last.response : undefined;
};

describe('thinking between tags, on the wire', () => {
  const tagged = bytes(text('<th'), text('ink>a'), text('b</thi'), text('nk>\nAnswer'), finish('stop'), '[DONE]');

  it('[G64] is thinking and no text, though chunks cut the tags', async () => {
    const played = await answered(tagged);
    expect(toldOf(played)).toEqual(['thinking a', 'thinking b', 'text Answer']);
    expect(responseOf(played)).toMatchObject({ finishReason: 'stop', aiMessage: { text: 'Answer', thinking: 'ab' } });
  });

  it('[G64] is the same, however the bytes are cut', async () => {
    const uncut = await answered(tagged);
    expect(await answered(byteByByte(tagged))).toEqual(uncut);
    for (const { offset, chunks } of cutInTwo(tagged)) expect(await answered(chunks), `cut at byte ${offset}`).toEqual(uncut);
  });

  it('lets what is held back go before a call, so that the text comes in its order', async () => {
    const played = await answered(bytes(text('a <'), calls(call(0, 'c', 'add', '{}')), finish('tool_calls'), '[DONE]'));
    expect(toldOf(played)).toEqual(['text a ', 'text <', 'call add']);
    expect(responseOf(played)?.aiMessage.text).toBe('a <');
  });

  it('lets what is held back go before a refusal', async () => {
    const played = await answered(bytes(text('a <'), delta({ refusal: 'No.' }), finish('stop'), '[DONE]'));
    expect(toldOf(played)).toEqual(['text a ', 'text <', 'text No.']);
    expect(responseOf(played)).toMatchObject({ finishReason: 'contentFilter', aiMessage: { text: 'a <No.' } });
  });

  it('lets what is held back go at the end, with a finish word or without', async () => {
    for (const end of [finish('stop'), '[DONE]']) {
      const played = await answered(bytes(text('1 <th'), end));
      expect(toldOf(played)).toEqual(['text 1 ', 'text <th']);
      expect(responseOf(played)?.aiMessage.text).toBe('1 <th');
    }
  });

  it('is thinking to the end where the tag is never closed', async () => {
    const played = await answered(bytes(text('<think>a'), text(' b'), finish('stop'), '[DONE]'));
    expect(responseOf(played)?.aiMessage).toMatchObject({ text: null, thinking: 'a b' });
  });

  it.each([
    ['the connection breaks', bytes(text('1 <th')), { ...whole, endsBy: 'cut' as const }, 'the connection was lost'],
    ['the server tells an error', bytes(text('1 <th'), { error: { message: 'overheated' } }), whole, 'overheated'],
  ])('fails as the stream does when %s while text is held back', async (_, chunks, answer, reason) => {
    const played = await answered(chunks, answer);
    expect(toldOf(played)).toEqual(['text 1 ']);
    expect((played.error as Error).message).toContain(reason);
    expect(responseOf(played)).toBeUndefined();
  });

  it('is left in the text where no tags are set', async () => {
    const scheduler = new VirtualTimeScheduler();
    const model = openAiChat({ modelName: 'm', fetch: quickFetchOf(tagged, whole), scheduler, timeout: { idle: Infinity } });
    expect(responseOf(await played(model.chat(request), scheduler))?.aiMessage.text).toBe('<think>ab</think>\nAnswer');
  });
});
