import { delay, of } from 'rxjs';
import { aiService } from '../../src/service/ai-service.ts';
import type { Timeline } from '../../src/timeline/timeline.ts';
import { toolExecutionErrorHandler } from '../../src/tool/error-handlers.ts';
import { breaks, call, pacedModel, played, retryIn, slowTool, thoughts, words } from './paced.ts';

const answer = 'Rain in Paris until four, then sun. Take the train at 16:20, and leave the umbrella at home for the evening.';
const toLlm = toolExecutionErrorHandler.sendExceptionMessageToLlm();

/** Invocations that are as unlike as they come. */
export const samples = {
  concurrentTools: () =>
    played(() =>
      aiService({
        name: 'travel assistant',
        model: pacedModel([
          [
            ...thoughts('Two things to find out, at once. '),
            ...words('Let me look. '),
            ...call(0, 'weather', { city: 'Paris' }),
            ...call(1, 'timetable', { from: 'Lyon', to: 'Paris' }),
          ],
          words(answer),
        ]),
        tools: [slowTool('weather', 900, { steps: 3 }), slowTool('timetable', 600)],
      }),
    ),
  textOnly: () => played(() => aiService({ model: pacedModel([words(answer)]) })),
  oneAtATime: () =>
    played(() =>
      aiService({
        name: 'researcher',
        toolConcurrency: 1,
        model: pacedModel([
          [
            ...call(0, 'search'),
            ...call(1, 'search_the_web_for_recent_papers'),
            ...call(2, 'read_file'),
            ...call(3, 'summarise'),
          ],
          words(answer, 20),
        ]),
        tools: [
          slowTool('search', 500),
          slowTool('search_the_web_for_recent_papers', 700, { steps: 2 }),
          slowTool('read_file', 300),
          slowTool('summarise', 900),
        ],
      }),
    ),
  transferUndone: () =>
    played(() =>
      aiService({
        name: 'bank clerk',
        compensateOnToolErrors: true,
        toolExecutionErrorHandler: toLlm,
        model: pacedModel([
          [...call(0, 'credit', { account: 'alice', amount: 50 }), ...call(1, 'debit', { account: 'bob', amount: 50 })],
          words('Bob has too little money: nothing was transferred.'),
        ]),
        tools: [
          slowTool('credit', 250, { compensate: () => of(true).pipe(delay(350)) }),
          slowTool('debit', 500, { fails: 'There is too little money in the account of bob.' }),
        ],
      }),
    ),
  approvals: () =>
    played(() =>
      aiService({
        name: 'clerk',
        approveToolExecution: ({ name }) =>
          of(name === 'send_mail' ? true : { approved: false, reason: 'not in my name' }).pipe(delay(1200)),
        model: pacedModel([
          [
            ...words('I have to ask you. '),
            ...call(0, 'send_mail', { to: 'bob' }),
            ...call(1, 'delete_all'),
            ...call(2, 'look_up'),
          ],
          words('Mail is sent, nothing is deleted.'),
        ]),
        tools: [
          slowTool('send_mail', 400, { needsApproval: true }),
          slowTool('delete_all', 400, { needsApproval: true }),
          slowTool('look_up', 300),
        ],
      }),
    ),
  cancelled: () =>
    played(
      () =>
        aiService({
          name: 'transfer',
          compensateOnToolErrors: true,
          model: pacedModel([
            [...call(0, 'reserve'), ...call(1, 'crawl')],
            [...words('Reserved. '), ...call(0, 'pay'), ...words('And now we wait for the bank.')],
          ]),
          tools: [
            slowTool('reserve', 300, { compensate: () => of(true).pipe(delay(300)) }),
            slowTool('crawl', 700, { steps: 6 }),
            slowTool('pay', 3000, { steps: 4 }),
          ],
        }),
      { leaveAt: 2900, watchEvents: true },
    ),
  failed: () =>
    played(() =>
      aiService({
        name: 'reporter',
        model: pacedModel([[...call(0, 'query'), ...call(1, 'upload'), ...call(2, 'archive')]]),
        tools: [
          slowTool('query', 400),
          slowTool('upload', 800, {
            fails: '413 Payload too large: the report has 12,000 pages, and the server takes no more than 500',
          }),
          slowTool('archive', 1300),
        ],
      }),
    ),
  troubles: () =>
    played(() =>
      aiService({
        name: 'patient',
        roundRetries: 1,
        contentRetriever: () => of([{ type: 'text' as const, text: 'a page' }]).pipe(delay(400)),
        model: pacedModel([
          [...retryIn(800), ...thoughts('Hm. Let me see now. '), ...words('The answer is that it '), ...breaks()],
          [...words('It is 42. '), ...call(0, 'check')],
          words(answer, 30),
        ]),
        tools: [slowTool('check', 500)],
      }),
    ),
  crowd: (count = 200) =>
    played(() =>
      aiService({
        name: 'mapper',
        toolConcurrency: 12,
        toolExecutionErrorHandler: toLlm,
        model: pacedModel([
          Array.from({ length: count }, (_, place) =>
            call(place, place % 37 === 5 ? 'flaky' : `page_${place}`, { place }, 8),
          ).flat(),
          words('All pages are read.'),
        ]),
        tools: [
          ...Array.from({ length: count }, (_, place) => slowTool(`page_${place}`, 200 + ((place * 37) % 400))),
          slowTool('flaky', 250, { fails: '503 Service unavailable' }),
        ],
      }),
    ),
  manyRounds: () =>
    played(() =>
      aiService({
        name: 'agent',
        model: pacedModel(
          Array.from({ length: 9 }, (_, round) =>
            round < 8 ? [...words('Next. '), ...call(0, ['read', 'edit', 'test'][round % 3]!, { round })] : words(answer, 30),
          ),
        ),
        tools: [slowTool('read', 200), slowTool('edit', 350), slowTool('test', 1500, { steps: 5 })],
      }),
    ),
  instant: () =>
    played(() =>
      aiService({
        model: pacedModel([[...call(0, 'a', {}, 0)], [[0, { type: 'partialResponse', text: 'Done.' }]]], 0),
        tools: [slowTool('a', 0)],
      }),
    ),
  long: () =>
    played(() =>
      aiService({
        name: 'night shift',
        model: pacedModel([[...words('It will take a while. '), ...call(0, 'train'), ...call(1, 'ping')], words(answer)]),
        tools: [slowTool('train', 4 * 3600_000 + 1234_567, { steps: 30 }), slowTool('ping', 20)],
      }),
    ),
  hostile: () =>
    played(() =>
      aiService({
        name: '</style><script>alert(1)</script>]]>\u202e\u0000\u001b[31mred',
        model: pacedModel([
          [
            ...call(0, '天気予報を調べるための道具です', { city: '<&>"\'' }),
            ...call(1, '👩‍👩‍👧🇫🇷❤️ family'),
            ...call(2, `z${'\u0301\u0323'.repeat(40)}algo`),
            ...call(3, '"><svg onload=alert(1)>\u202e\u2066'),
          ],
          words('ok'),
        ]),
        hallucinatedToolNameStrategy: ({ name }) => `There is no ${name} ]]> <b> \ud800`,
      }),
    ),
  running: () => {
    const left = played(
      () =>
        aiService({
          name: 'still at it',
          toolConcurrency: 2,
          model: pacedModel([[...words('I look. '), ...call(0, 'scan'), ...call(1, 'index'), ...call(2, 'merge')]]),
          tools: [slowTool('scan', 900, { steps: 4 }), slowTool('index', 5000, { steps: 9 }), slowTool('merge', 4000)],
        }),
      { leaveAt: 2600 },
    );
    return { ...left, timeline: stillRunning(left.timeline) };
  },
  eventsOnly: () => eventsOnly(),
} as const;

/** As a snapshot would have told it. */
function stillRunning({ end: last, ...timeline }: Timeline): Timeline {
  const calls = timeline.calls.map(({ end, ...called }) =>
    end === last ? { ...called, outcome: 'unfinished' as const } : { ...called, ...(end !== undefined && { end }) },
  );
  const rounds = timeline.rounds.map((round) => ({ ...round, end: undefined }));
  return JSON.parse(JSON.stringify({ ...timeline, status: 'running', calls, rounds })) as Timeline;
}

function eventsOnly() {
  const both = samples.concurrentTools().timeline;
  const calls = both.calls.map((called): Timeline['calls'][number] => ({
    ...called,
    written: { start: both.rounds[0]!.answered!, end: both.rounds[0]!.answered! },
    start: both.rounds[0]!.answered!,
    end: both.rounds[0]!.end!,
    isWithin: true,
    progress: [],
    progressCount: 0,
  }));
  return { timeline: { ...both, calls } };
}
