import { describe, expect, it } from 'vitest';
import { mendMessage } from '../../src/mcp/mend-message.ts';
import { mendResult } from '../../src/mcp/mend-result.ts';

const mended = (result: Record<string, unknown>) => {
  mendResult(result);
  return result;
};
const text = (words: string) => ({ type: 'text', text: words });

describe('the result of an MCP tool', () => {
  it.each([
    ['a kind that there is not', [text('good'), { type: 'new_kind', a: 1 }], [text('good'), text('{"type":"new_kind","a":1}')]],
    ['a picture without its kind', [{ type: 'image', data: 'AAAA' }], [text('{"type":"image","data":"AAAA"}')]],
    [
      'bytes that are none',
      [{ type: 'audio', data: '%', mimeType: 'a/b' }],
      [text('{"type":"audio","data":"%","mimeType":"a/b"}')],
    ],
    ['odd annotations', [{ ...text('a'), annotations: { priority: 7 } }], [text('a')]],
    ['an unknown audience', [{ ...text('a'), annotations: { audience: ['nobody'] }, _meta: 1 }], [text('a')]],
    ['a bare text', 'hello', [text('hello')]],
    ['a text among the blocks', ['hello'], [text('hello')]],
    ['nothing', null, []],
  ])('is told though it holds %s', (_, content, told) => {
    expect(mended({ content })).toEqual({ content: told });
  });

  it('is told as text where its data is no object', () => {
    expect(mended({ structuredContent: [1] })).toEqual({ content: [text('[1]')] });
    expect(mended({ content: [text('a')], structuredContent: null })).toEqual({ content: [text('a')] });
  });

  it('is a failure only where it says so, and keeps what is right', () => {
    const annotations = { audience: ['user'], priority: 0.5 };
    const right = { content: [{ ...text('a'), annotations }], structuredContent: { a: 1 }, isError: true, _meta: { b: 2 } };
    expect(mended({ ...right })).toEqual(right);
    expect(mended({ content: [], isError: 'true', _meta: 'x' })).toEqual({ content: [], isError: true });
    expect(mended({ content: [], isError: 0 })).toEqual({ content: [], isError: false });
  });

  it('is mended in the message that brings it', () => {
    const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'new_kind' }] } };
    mendMessage(message, () => undefined);
    expect(message.result).toEqual({ content: [text('{"type":"new_kind"}')] });
  });
});
