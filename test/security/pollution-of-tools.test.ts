import { firstValueFrom } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  aiService,
  executorTool,
  hallucinatedToolNameStrategy,
  messageWindowMemory,
  parseMessages,
  tool,
  type ChatModel,
  type Tool,
} from '../../src/index.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { keptLogs } from '../service/support.ts';
import { answering, hostileWires, modelOf } from './hostile-wires.ts';
import { expectPlain, expectUnpolluted, hostileJson, hostileNames } from './prototypes.ts';

afterEach(expectUnpolluted);

/** A model that calls one tool and then answers. */
const calling = (name: string, written = '{}'): ChatModel =>
  scriptedModel(['A|', '-z|'], { calls: { A: { name, arguments: written } } });

async function run(model: ChatModel, tools: readonly Tool[], more: Partial<Parameters<typeof aiService>[0]> = {}) {
  const service = aiService({ model, tools, logger: keptLogs(), ...more });
  const result = await firstValueFrom(service.result('x'), { defaultValue: undefined });
  return result!;
}

describe.each(hostileNames)('a tool named %s', (name) => {
  it('runs when it is called, and no other does', async () => {
    const ran: string[] = [];
    const tools = [name, 'other'].map((named) => tool({ name: named, execute: () => void ran.push(named) }));
    await run(calling(name), tools);
    expect(ran).toEqual([name]);
  });

  it('is not there unless it was registered', async () => {
    const other = tool({ name: 'other', execute: () => expect.fail('it ran') });
    await expect(run(calling(name), [other])).rejects.toMatchObject({ name: 'UnknownToolError' });
    const { toolExecutions } = await run(calling(name), [other], {
      hallucinatedToolNameStrategy: hallucinatedToolNameStrategy.tellAvailableTools(),
    });
    expect(toolExecutions).toMatchObject([
      { hasFailed: true, result: expect.stringContaining('There is no tool named') as string },
    ]);
  });

  it.each(hostileWires)('keeps its name on the wire of $provider and back, in any number of tools', async (wire) => {
    const ran: string[] = [];
    const strange = `${name}.ß`;
    const tools = [name, strange].map((named) => tool({ name: named, execute: () => void ran.push(named) }));
    let requests = 0;
    const fetch: typeof globalThis.fetch = (url, init) => {
      if (requests++ > 0) return answering(wire, [...wire.text('done'), ...wire.end()])(url, init);
      const told = /"name":"([^"]*_[0-9a-f]{12})"/.exec(init!.body as string)?.[1];
      expect(told).toBeDefined();
      return answering(wire, [...wire.call({ id: 'a', name }, 0), ...wire.call({ id: 'b', name: told }, 1), ...wire.end()])(
        url,
        init,
      );
    };
    await run(modelOf(wire, { fetch }), tools);
    expect(ran.sort()).toEqual([name, strange].sort());
  });
});

describe('arguments that would pollute', () => {
  const schemas = {
    'a zod object': z.object({ kept: z.number(), inner: z.object({ kept: z.number() }) }),
    'a loose zod object': z.looseObject({ inner: z.looseObject({}) }),
    'a zod record': z.object({ inner: z.record(z.string(), z.unknown()) }),
    'a JSON Schema': { type: 'object', properties: { inner: { type: 'object' } } },
    'a JSON Schema of anything': { type: 'object', additionalProperties: true },
  };

  it.each(Object.entries(schemas))(
    'reach a tool with %s as plain objects, that may be merged into any other',
    async (_, parameters) => {
      let came: unknown;
      const target = {};
      const merge = (args: object) => {
        came = args;
        // As careless code does it: by assignment, at every depth.
        const into = (one: Record<string, unknown>, other: Record<string, unknown>) => {
          for (const key of Object.keys(other)) {
            if (typeof other[key] === 'object' && other[key] !== null) into((one[key] ??= {}) as never, other[key] as never);
            else one[key] = other[key];
          }
        };
        into(target, args as never);
      };
      await run(calling('t', hostileJson), [tool({ name: 't', parameters: parameters as z.ZodObject, execute: merge })]);
      expectPlain(came);
      expect((came as { inner: object }).inner).toHaveProperty('kept', 2);
      expectPlain(target);
    },
  );

  it('are text to an executor, which may parse it with what is exported', async () => {
    const told: string[] = [];
    const raw = executorTool({ name: 't', parameters: { type: 'object' } }, ({ arguments: text }) => {
      told.push(text);
      return { contents: [], isError: false };
    });
    await run(calling('t', hostileJson), [raw]);
    expect(told).toEqual([hostileJson]);
  });

  it.each([
    ['spelt with escapes', '{"\\u005f\\u005fproto__":{"polluted":1},"kept":1}'],
    ['in JSON that has to be mended', `\`\`\`json\n${hostileJson.slice(0, -1)},}\n\`\`\``],
    ['in JSON within JSON', JSON.stringify({ inner: hostileJson })],
  ])('are seen through: %s', async (_, written) => {
    let came: unknown;
    const parameters = z.looseObject({ inner: z.looseObject({}).optional() });
    await run(calling('t', written), [tool({ name: 't', parameters, execute: (args) => void (came = args) })]);
    expectPlain(came);
    expect(JSON.stringify(came)).not.toContain('polluted');
    expect(JSON.stringify(came)).toContain('kept');
  });
});

describe('a memory that holds hostile JSON', () => {
  it('is read as a history and nothing else, and goes to each provider', async () => {
    const text = `[{"role":"user","contents":[{"type":"text","text":"x","__proto__":{"polluted":1}}]},
      {"role":"assistant","text":null,"toolExecutionRequests":[{"id":"__proto__","name":"constructor","arguments":${JSON.stringify(hostileJson)}}],
       "attributes":${hostileJson}},
      {"role":"tool","id":"__proto__","toolName":"constructor","contents":[],"isError":false,"attributes":${hostileJson}}]`;
    for (const read of [parseMessages(JSON.parse(text)), JSON.parse(text) as ReturnType<typeof parseMessages>]) {
      for (const wire of hostileWires) {
        const memory = messageWindowMemory({ maxMessages: 10 });
        await memory.set(read);
        const model = modelOf(wire, { fetch: answering(wire, [...wire.text('done'), ...wire.end()]) });
        await run(model, [], { chatMemory: memory });
      }
      expectPlain(read);
    }
  });
});
