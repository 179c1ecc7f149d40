import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { browserBundle } from './browser-bundle.ts';

const json = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional?: boolean } | undefined>;
  exports: Record<string, unknown>;
};

const subpaths = Object.keys(json.exports).filter((path) => path !== './package.json');

const always = ['rxjs', 'zod', 'zod/v4/core', 'eventsource-parser'];

/** What a subpath is for, and nobody else loads. */
const angular = ['@angular/core', '@angular/core/rxjs-interop'];
const optional = new Map([
  ['./angular', angular],
  ['./angular/testing', angular],
  ['./mcp', ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio']],
  ['./otel', ['@opentelemetry/api']],
]);

describe('the package', () => {
  it('has one dependency at run time, rxjs and zod as peers, and what a subpath needs as an optional one', () => {
    expect(json.dependencies).toEqual({ 'eventsource-parser': '^3.1.0 || ^4.0.0' });
    const required = Object.keys(json.peerDependencies).filter((name) => !json.peerDependenciesMeta[name]?.optional);
    expect(required).toEqual(['rxjs', 'zod']);
  });

  it.each(subpaths)(
    '%s imports nothing of Node, and nothing but its dependencies',
    async (subpath) => {
      const own = optional.get(subpath) ?? [];
      const external = [...always, ...[...optional.values()].flat()];
      const { imports, dynamicImports, code } = await browserBundle(
        `export * from '${subpath.replace('.', 'toolstream')}';`,
        external,
      );
      expect([...imports, ...dynamicImports].filter((name) => ![...always, ...own].includes(name))).toEqual([]);
      expect(code).not.toMatch(/\bBuffer\b|require\(/);
    },
    60_000,
  );

  it('runs an invocation in a bundle, where there is no process', async () => {
    const { code } = await browserBundle(`
      import { aiService, tool } from 'toolstream';
      import { openAiChat } from 'toolstream/openai';
      const add = tool({ name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } }, execute: ({ a }) => a + 1 });
      const service = aiService({ model: openAiChat({ modelName: 'm', fetch }), tools: [add] });
      service.result('1 + 1?').subscribe({ next: ({ content }) => done(content), error: done });
    `);
    const event = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ choices: [{ delta, finish_reason }] })}\n\n`;
    const call = { tool_calls: [{ index: 0, id: 'c', function: { name: 'add', arguments: '{"a":1}' } }] };
    const answers = [event(call, 'tool_calls'), event({ content: 'It is 2.' }, 'stop')];
    const fetch = () => Promise.resolve(new Response(answers.shift(), { headers: { 'content-type': 'text/event-stream' } }));
    const content = await new Promise((done) => {
      const browser = {
        fetch,
        done,
        console,
        AbortController,
        TextDecoder,
        Headers,
        URL,
        setTimeout,
        clearTimeout,
        setInterval,
        clearInterval,
        crypto,
        structuredClone,
      };
      vm.runInNewContext(code, browser);
    });
    expect(content).toBe('It is 2.');
  }, 60_000);
});
