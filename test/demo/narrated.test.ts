import { map, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { narrated } from '../../src/demo/narrated.ts';
import { typeset } from '../../src/demo/typeset.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { ChatModelError } from '../../src/chat/chat-model-error.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { tool } from '../../src/tool/tool.ts';
import { toolErrorVisibleToLlm } from '../../src/tool/visible-to-llm.ts';
import { keptLogs } from '../service/support.ts';

const page = { columns: 60, paint: (_: string, text: string) => text };

/** What the terminal shows of an invocation in virtual time, a frame being a millisecond. */
function shown(service: AiService): string {
  let text = '';
  runMarbles(({ record }) => {
    record(service.stream('?').pipe(narrated(), typeset(page)), (piece) => (text += piece));
  });
  return text;
}

describe('an invocation, told while it happens', () => {
  it('shows rounds, tools that start, tell and end while the model still writes, the answer, the usage and the duration', () => {
    const events = {
      1: { type: 'partialResponse', text: 'Let me ' },
      2: { type: 'partialResponse', text: 'look it up.' },
      3: { type: 'partialResponse', text: 'Found\nboth.' },
    } as const;
    const first = {
      marbles: '100ms 1 99ms A 99ms 2 49ms B|',
      response: { tokenUsage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 } },
    };
    const last = { marbles: '99ms 3|', response: { tokenUsage: { inputTokens: 10, outputTokens: 3, totalTokens: 13 } } };
    const model = scriptedModel([first, last], { calls: { A: { arguments: '{"x":1}' } }, events });
    const tools = [scriptedTool('a', '49ms p 99ms q 99ms r|', { values: { r: { sum: 3 } } }), scriptedTool('b', '|')];
    expect(shown(aiService({ model, tools }))).toBe(
      [
        '  0.10 s  ◆ round 1',
        '          Let me',
        '  0.20 s  ▶ a              {"x":1}',
        '  0.25 s  · a              p',
        '          look it',
        '  0.35 s  · a              q',
        '          up.',
        '  0.35 s  ▶ b              {}',
        '  0.35 s  ✔ b              in under 1 ms: Success',
        '  0.35 s    model          has ended its turn with 2 calls',
        '  0.45 s  ✔ a              in 250 ms: {"sum":3}',
        '  0.55 s  ◆ round 2',
        '          Found',
        '          both.',
        '  0.55 s  ✔ answer         ended with stop',
        '            usage          15 tokens in, 5 out, 20 in total',
        '            duration       550 ms, 2 rounds',
        '',
      ].join('\n'),
    );
  });

  it('shows a tool that failed, and usage that the server did not tell', () => {
    const tools = [scriptedTool('a', '2ms #', { error: toolErrorVisibleToLlm('no such city') })];
    const lines = shown(aiService({ model: scriptedModel(['A|', 'z|']), tools })).split('\n');
    expect(lines).toContain('  0.00 s  ✖ a              failed in 2 ms: no such city');
    expect(lines).toContain('            usage          not told');
  });

  it('shows thoughts, and why a request is sent again', () => {
    const error = new ChatModelError('openai: busy', { kind: 'overloaded', provider: 'openai', retryable: true });
    const model = scriptedModel(['@~z|'], { events: { '@': { type: 'retry', attempt: 1, delay: 1500, error } } });
    expect(shown(aiService({ model })).split('\n').slice(0, 5)).toEqual([
      '  0.00 s  ◆ round 1',
      '  0.00 s  ↻ retry          in 1.50 s, because:',
      '          openai: busy',
      '          ~',
      '          z',
    ]);
  });

  it('shows what was retrieved in front of the first round, and which calls wait for approval', () => {
    const ask = tool({ name: 'a', needsApproval: true, execute: () => 'done' });
    const service = aiService({
      model: scriptedModel(['A|', 'z|']),
      tools: [ask],
      contentRetriever: () => [{ type: 'text', text: 'a passage' }],
      approveToolExecution: () => timer(30).pipe(map(() => ({ approved: false, reason: 'not today' }))),
    });
    expect(shown(service).split('\n').slice(0, 6)).toEqual([
      '  0.00 s    retrieved      1 content',
      '  0.00 s  ◆ round 1',
      '  0.00 s  ? a              waits for approval: {}',
      '  0.00 s    model          has ended its turn with 1 call',
      '  0.03 s  ✖ a              failed in under 1 ms: The call w…',
      '  0.03 s  ◆ round 2',
    ]);
  });

  it('shows what was undone and what could not be, and why', () => {
    const undoable = (name: string, compensate: () => unknown) => tool({ name, execute: () => 'done', compensate });
    const broken = () => {
      throw new Error('gone');
    };
    const service = aiService({
      model: scriptedModel(['AB|', 'C|', 'z|']),
      tools: [
        undoable('a', () => undefined),
        undoable('b', broken),
        scriptedTool('c', '#', { error: toolErrorVisibleToLlm('no') }),
      ],
      compensateOnToolErrors: true,
      logger: keptLogs(),
    });
    const lines = shown(service).split('\n');
    expect(lines.slice(lines.findIndex((line) => line.includes('✖ c')) + 2).slice(0, 3)).toEqual([
      '  0.00 s  ✖ b              not undone (toolError): gone',
      '  0.00 s  ↶ a              undone (toolError)',
      '  0.00 s  ◆ round 3',
    ]);
  });

  it('says that the text of a round that broke does not count, and goes on in that round', () => {
    const model = scriptedModel(['9ms u 9ms #', '9ms z|']);
    expect(
      shown(aiService({ model, roundRetries: 1 }))
        .split('\n')
        .slice(0, 6),
    ).toEqual([
      '  0.01 s  ◆ round 1',
      '          u',
      '  0.02 s  ↻ restart        drop its text so far, because:',
      '          scripted: the connection was lost',
      '          z',
      '  0.03 s  ✔ answer         ended with stop',
    ]);
  });
});
