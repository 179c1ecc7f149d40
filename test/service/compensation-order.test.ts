import { describe, expect, it } from 'vitest';
import { resultOf } from '../../src/service/epilogue.ts';
import { scriptedTool } from '../../src/testing/scripted-tool.ts';
import { expectValid, kept, neutral, outline } from './support.ts';
import { endsOf, playUndoing, rolledBack, stillStands, toldUndone, undoLog, undosIn } from './undo-log.ts';

describe('what is undone when one of three tools fails', () => {
  it.each([
    { fails: 'last', tools: { a: 'r|', b: 'r|', c: '#' }, undone: ['b', 'a'] },
    { fails: 'one in the middle', tools: { a: 'r|', b: '#', c: 'r|' }, undone: ['c', 'a'] },
    { fails: 'first', tools: { a: '#', b: 'r|', c: 'r|' }, undone: ['c', 'b'] },
  ])('[S101] is what the others did, the last request first: the $fails', ({ tools, undone }) => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(ABC)|', '-z|'],
      tools: Object.entries(tools).map(([name, marbles]) => log.undoable(name, marbles)),
    });
    const [failed] = Object.entries(tools).find(([, marbles]) => marbles === '#')!;
    expect(log.names()).toEqual(undone);
    expect(toldUndone(played.values)).toEqual(undone.map((name) => `${name}: toolError`));
    expect(toldUndone(played.fired)).toEqual(undone.map((name) => `${name}: toolError`));
    expect(played.history.slice(2, 5)).toEqual(
      ['A', 'B', 'C'].map((id) => (id.toLowerCase() === failed ? `${id}! ${failed} failed` : rolledBack(id, `${failed} failed`))),
    );
    expect(played.marbles.endsWith('z($|)')).toBe(true);
  });

  it('[S101] does not depend on which tool was faster', () => {
    const durations = [0, 3, 6];
    const orders = durations.flatMap((a) => durations.flatMap((b) => durations.map((d) => [a, b, d] as const)));
    for (const [a, b, d] of orders) {
      const log = undoLog();
      const along = (frames: number, end: string) => `${'-'.repeat(frames)}${end}`;
      playUndoing({
        rounds: ['(ABCD)|', '-z|'],
        tools: [
          log.undoable('a', along(a, 'r|')),
          log.undoable('b', along(b, 'r|')),
          scriptedTool('c', '--#'),
          log.undoable('d', along(d, 'r|')),
        ],
      });
      expect(log.names(), `${a} ${b} ${d}`).toEqual(['d', 'b', 'a']);
    }
  });

  it('[S101] is undone when all have settled, one at a time, and then the model is asked again', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(ABC)|', '-z|'],
      tools: [log.undoable('a', 'r|', { undo: '--|' }), log.undoable('b', '----r|', { undo: '---|' }), scriptedTool('c', '-#')],
    });
    expect(played.marbles).toBe('(A<a*aB<bC<c)(>a>c%)--*b>b--^b-^az($|)');
    expect(log.spans()).toEqual(['b -----^--!', 'a --------^-!']);
    expect(played.model.subscriptions()).toEqual(['^!', '----------^-!']);
  });

  it('[S103] is told to the model as an error that names the tool which failed first in the order of the requests', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(ABCD)|', '-z|'],
      tools: [log.undoable('a', 'r|'), scriptedTool('b', '------#'), log.undoable('c', 'r|'), scriptedTool('d', '#')],
    });
    const { messages } = played.model.requests[1]!;
    expect(outline(messages).slice(2)).toEqual([
      rolledBack('A', 'b failed'),
      'B! b failed',
      rolledBack('C', 'b failed'),
      'D! d failed',
    ]);
    expect(messages.flatMap((message) => (message.role === 'tool' ? [message.isError] : []))).toEqual([true, true, true, true]);
  });

  it('[S103] leaves alone what has no way back, and its result', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(ABC)|', '-z|'],
      tools: [scriptedTool('a', 'r|'), log.undoable('b', 'r|'), scriptedTool('c', '#')],
    });
    expect(played.history.slice(2, 5)).toEqual(['A: r', rolledBack('B', 'c failed'), 'C! c failed']);
  });

  it('is not the tool that failed, whose error the model gets', () => {
    const log = undoLog();
    const played = playUndoing({ rounds: ['A|', '-z|'], tools: [log.undoable('a', '#')] });
    expect(log.names()).toEqual([]);
    expect(played.history.slice(2, 3)).toEqual(['A! a failed']);
    expect(played.firedTypes).not.toContain('toolCompensated');
  });

  it('is each call of a tool that was called twice', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AEB)|', '-z|'],
      script: { calls: { A: { arguments: '{"n":1}' }, E: { name: 'a', arguments: '{"n":2}' } } },
      tools: [log.undoable('a', 'r|'), scriptedTool('b', '#')],
    });
    expect(log.undos.map(({ execution }) => execution.request.arguments)).toEqual(['{"n":2}', '{"n":1}']);
    expect(played.history.slice(2, 5)).toEqual([
      rolledBack('A', 'b failed'),
      'E! a had succeeded, but it was rolled back because b failed.',
      'B! b failed',
    ]);
  });
});

describe('a failure in a later round', () => {
  it('[S104] undoes the rounds before it too, the last round first', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|', '(CD)|', 'E|', '-z|'],
      tools: [...['a', 'b', 'c', 'd'].map((name) => log.undoable(name, 'r|')), scriptedTool('e', '#')],
    });
    expect(log.names()).toEqual(['d', 'c', 'b', 'a']);
    expect(played.history).toEqual([
      'user: hello',
      'assistant: [A B]',
      rolledBack('A', 'e failed'),
      rolledBack('B', 'e failed'),
      'assistant: [C D]',
      rolledBack('C', 'e failed'),
      rolledBack('D', 'e failed'),
      'assistant: [E]',
      'E! e failed',
      'assistant: z',
    ]);
    expect(outline(played.model.requests[3]!.messages)).toEqual(played.history.slice(0, -1));
    expect(played.values.filter(({ type }) => type === 'toolCompensated').map(({ round }) => round)).toEqual([3, 3, 3, 3]);
  });

  it('[S102] does not undo again what was undone for an earlier one', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|', '(AB)|', 'B|', '-z|'],
      script: { calls: { A: { id: '' }, B: { id: '' } } },
      idGenerator: () => `${ids++}`,
      tools: [log.undoable('a', 'r|'), scriptedTool('b', '#')],
    });
    expect(log.undos.map(({ execution }) => execution.request.id)).toEqual(['1', '3']);
    expect(log.names()).toEqual(['a', 'a']);
    expectValid(kept(played.memory));
  });
  let ids = 0;

  it('[S102] undoes nothing when there is nothing left', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|', 'C|', 'D|', '-z|'],
      tools: [log.undoable('a', 'r|'), ...['b', 'c', 'd'].map((name) => scriptedTool(name, '#'))],
    });
    expect(log.names()).toEqual(['a']);
    expect(toldUndone(played.fired)).toEqual(['a: toolError']);
    expect(played.history[2]).toBe(rolledBack('A', 'b failed'));
  });

  it('names the tool of its own round in what it says of the earlier ones, and leaves alone what was said before', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|', 'C|', 'D|', '-z|'],
      tools: [log.undoable('a', 'r|'), scriptedTool('b', '#'), log.undoable('c', 'r|'), scriptedTool('d', '#')],
    });
    expect(played.history.slice(2)).toEqual([
      rolledBack('A', 'b failed'),
      'B! b failed',
      'assistant: [C]',
      rolledBack('C', 'd failed'),
      'assistant: [D]',
      'D! d failed',
      'assistant: z',
    ]);
  });

  it('marks every undone execution in the result, in its place', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['A|', '(BC)|', 'D|', '-z|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', 'r|'), scriptedTool('c', '#'), log.undoable('d', 'r|')],
    });
    expect(resultOf(played.values.at(-1)!).toolExecutions.map(({ request, compensated }) => [request.id, compensated])).toEqual([
      ['A', 'toolError'],
      ['B', 'toolError'],
      ['C', undefined],
      ['D', undefined],
    ]);
  });
});

describe('an undo that fails', () => {
  const undoing = {
    throws: () => {
      throw new Error('b stays done');
    },
    'errors at once': '#',
    'errors later': '---#',
    'errors after a value': '-v-#',
  };

  it.each(Object.entries(undoing))(
    '[S107] because it %s: the others are undone all the same, and all is told as it is',
    (_, undo) => {
      const log = undoLog();
      const played = playUndoing({
        rounds: ['A|', '(BCD)|', '-z|'],
        tools: [log.undoable('a', 'r|'), log.undoable('b', 'r|', { undo }), log.undoable('c', 'r|'), scriptedTool('d', '#')],
      });
      expect(log.names()).toEqual(['c', 'b', 'a']);
      for (const told of [played.values, played.fired])
        expect(toldUndone(told)).toEqual(['c: toolError', 'b: toolError (b stays done)', 'a: toolError']);
      expect(played.history).toEqual([
        'user: hello',
        'assistant: [A]',
        rolledBack('A', 'd failed'),
        'assistant: [B C D]',
        stillStands('B', 'd failed'),
        rolledBack('C', 'd failed'),
        'D! d failed',
        'assistant: z',
      ]);
      expect(played.logs).toEqual([['error', 'What b has done in call B could not be undone.', new Error('b stays done')]]);
      expect(endsOf(played.firedTypes)).toEqual(['completed']);
    },
  );

  it('[S107] does not mark its execution as undone in the result', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(ABC)|', '-z|'],
      tools: [log.undoable('a', 'r|', { undo: '#' }), log.undoable('b', 'r|'), scriptedTool('c', '#')],
    });
    const marks = resultOf(played.values.at(-1)!).toolExecutions.map(({ compensated }) => compensated);
    expect(marks).toEqual([undefined, 'toolError', undefined]);
  });

  it('[S102] [S107] is not tried again', () => {
    const log = undoLog();
    playUndoing({
      rounds: ['(AC)|', 'C|', '-z|'],
      script: { calls: { C: { id: '' } } },
      tools: [log.undoable('a', 'r|', { undo: '#' }), scriptedTool('c', '#')],
    });
    expect(log.names()).toEqual(['a']);
  });

  it('that throws no error is told as one', () => {
    const log = undoLog();
    const undo = () => {
      throw 'no way back';
    };
    const played = playUndoing({ rounds: ['(AB)|', '-z|'], tools: [log.undoable('a', 'r|', { undo }), scriptedTool('b', '#')] });
    const [event] = undosIn(played.fired);
    expect(event!.error).toBeInstanceOf(Error);
    expect(event!.error!.message).toContain('no way back');
  });

  it('does not change the error that the invocation ends with', () => {
    const log = undoLog();
    const played = playUndoing({
      rounds: ['(AB)|'],
      tools: [log.undoable('a', 'r|', { undo: '#' }), scriptedTool('b', '#')],
      toolExecutionErrorHandler: (error) => {
        throw error;
      },
    });
    expect(played.error).toEqual(new Error('b failed'));
    expect(played.history).toEqual(['user: hello', 'assistant: [A B]', stillStands('A', 'b failed'), `B! ${neutral}`]);
  });

  it('does not let a logger that throws stop the others', () => {
    const log = undoLog();
    const broken = () => {
      throw new Error('no logs today');
    };
    const played = playUndoing({
      rounds: ['(ABC)|', '-z|'],
      tools: [log.undoable('a', 'r|'), log.undoable('b', 'r|', { undo: '#' }), scriptedTool('c', '#')],
      logger: { warn: broken, error: broken, debug: broken },
    });
    expect(log.names()).toEqual(['b', 'a']);
    expect(played.marbles.endsWith('z($|)')).toBe(true);
  });
});
