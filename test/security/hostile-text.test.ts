// @vitest-environment jsdom
import { of, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { failure } from '../../src/demo/failure.ts';
import { narrated } from '../../src/demo/narrated.ts';
import { typeset } from '../../src/demo/typeset.ts';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { aiService, tool } from '../../src/index.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { parseTimeline, recordTimeline, renderAscii, renderSvg, type Timeline } from '../../src/timeline/index.ts';

const hostileTexts = [
  '<script>alert(1)</script>',
  '</title></desc></style></svg><img src=x onerror=alert(1)>',
  ']]><![CDATA[<script>alert(1)</script>',
  '<!--',
  '--><script>alert(1)</script>',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;',
  '" onload="alert(1)" x="',
  "' onload='alert(1)'",
  '&#60;script&#62;',
  'javascript:alert(1)',
  'url(https://evil.test/x)',
  '\u0000\u0001\u001b[2J\u001b]0;owned\u0007\u009b31m\u007f',
  '\ud800',
  '\udc00x\ud800',
  '\ufffe\uffff',
  '\u202egnp.exe\u202c\u2066\u200b\u200f',
  'a\u0301'.repeat(500),
  '\r\nforged line\r',
  'x'.repeat(100_000),
  '\u2028\u2029',
];

/** An invocation in which everything that others write is this text. */
async function recorded(text: string): Promise<{ readonly timeline: Timeline; readonly shown: string }> {
  const tools = [tool({ name: text.trim() || 'x', execute: () => of(text, text) })];
  const model = scriptedModel([[text, { call: text.trim() || 'x', id: text, arguments: { text } }], [text]]);
  const recorder = recordTimeline();
  const service = aiService({ model, tools, name: text.trim() || 'x' });
  const page = { columns: 80, paint: (_: unknown, said: string) => said };
  const shown$ = service.stream(text || 'x').pipe(recorder.watch(), narrated(), typeset(page), toArray());
  const shown = await lastValueFrom(shown$, { defaultValue: [] });
  return { timeline: recorder.timeline(), shown: shown.join('') };
}

const isHarmless = (element: Element): boolean =>
  ['svg', 'title', 'desc', 'style', 'g', 'rect', 'circle', 'path', 'line', 'text', 'tspan', 'polygon'].includes(
    element.localName,
  ) &&
  Array.from(element.attributes).every(
    ({ name, value }) => !/^on|href|src|style$/i.test(name) && !/javascript:|url\(/i.test(value),
  );

describe.each(hostileTexts.map((text) => [JSON.stringify(text.slice(0, 60)), text] as const))('%s', (_, text) => {
  it('is drawn as well-formed XML that runs nothing, loads nothing and changes nothing around it', async () => {
    const { timeline } = await recorded(text);
    const failed = parseTimeline({ ...(JSON.parse(JSON.stringify(timeline)) as Timeline), status: 'failed', error: text });
    for (const svg of [renderSvg(timeline), renderSvg(failed), renderSvg(failed, { title: text })]) {
      const xml = new DOMParser().parseFromString(svg, 'image/svg+xml');
      expect(xml.querySelector('parsererror')).toBeNull();
      expect(Array.from(xml.querySelectorAll('*')).filter((element) => !isHarmless(element))).toEqual([]);
      // In a page, whose parser forgives everything.
      const html = new DOMParser().parseFromString(`<main>${svg}</main><footer></footer>`, 'text/html');
      expect(html.querySelector('body > main > svg')?.querySelectorAll('*').length).toBe(
        xml.documentElement.querySelectorAll('*').length,
      );
      expect(html.querySelector('body > footer')).not.toBeNull();
      expect(html.querySelectorAll('script, img, iframe, [onload], [onerror]')).toHaveLength(0);
      expect(svg.length).toBeLessThan(100_000);
    }
  });

  it('is shown in a terminal as text, and moves, colours and renames nothing', async () => {
    const { timeline, shown } = await recorded(text);
    const failedBy = failure(new ChatModelError(text, { kind: 'server', provider: text, retryable: false })).message;
    for (const told of [shown, renderAscii(timeline), renderAscii(timeline, { title: text }), failedBy]) {
      expect(told).not.toMatch(/(?!\n)\p{Cc}/u);
      expect(told).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
    expect(failedBy).not.toContain('\n');
    const painted = renderAscii(timeline, { color: true });
    // The only codes are ours, of colours and weights.
    expect(painted.replace(/\u001b\[\d+m/g, '')).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
