import { setTimeout as sleep } from 'node:timers/promises';
import { lastValueFrom, of } from 'rxjs';
import type { ChatModel } from '../../src/chat/chat-model.ts';
import { aiService, type AiService } from '../../src/service/ai-service.ts';
import { wireModels } from '../wire/wire-models.ts';
import { ask } from './ask.ts';
import { eventually, inPatience } from './eventually.ts';
import { answerViolations } from './answer-violations.ts';
import type { Client, FaultServer } from './fault-server.ts';
import { brokenInvariants, type Ended } from './invariants.ts';
import { invoke } from './invoke.ts';
import { keptViolations } from './kept-history.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { onEveryWire } from './on-every-wire.ts';
import { planOf, type InvocationPlan, type Plan } from './plan.ts';
import { clock } from './quick-clock.ts';
import { randomOf } from './random.ts';
import { serviceOptions } from './service-options.ts';
import { soakMemory, type SoakMemory } from './soak-memory.ts';
import { watched } from './watch.ts';

/** What came of a plan. */
export interface Episode {
  readonly plan: Plan;
  readonly violations: readonly string[];
  readonly invocations: readonly Ended[];
}

/** Plays the plan of a number, and checks what must hold of it. */
export async function episode(server: FaultServer, seed: string, number: number): Promise<Episode> {
  const plan = planOf(seed, number);
  const violations: string[] = [];
  const memory = plan.memory && soakMemory(plan.memory, randomOf(seed, number, 'store'), violations);
  const service = aiService({
    ...serviceOptions(plan, randomOf(seed, number, 'service')),
    model: unsaid,
    ...(memory && { chatMemory: memory.memory }),
  });
  const invocations: Ended[] = [];
  const ends: Promise<unknown>[] = [];
  for (const [place, invocationPlan] of plan.invocations.entries()) {
    if (invocationPlan.waits) await Promise.race([Promise.all(ends), sleep(1_000, undefined, { ref: false })]);
    const client: Client = {
      seed: `${seed}/${number}/${place}`,
      names: plan.tools.map(({ name }) => name),
      served: [],
      violations: [],
    };
    const url = server.urlFor(`${number}.${place}`, client);
    const { ended, ...facts } = begin(service, invocationPlan, url, client, questionOf(place));
    invocations.push({ ...facts, client });
    ends.push(ended);
  }
  violations.push(...(await inPatience(Promise.all(ends), 'an invocation does not end')));
  const broken = () =>
    invocations.flatMap((ended, place) => brokenInvariants(ended, plan).map((violation) => `invocation ${place}: ${violation}`));
  await eventually(broken);
  if (memory) violations.push(...(await memoryViolations(service, memory, plan, invocations)));
  // What comes twice comes late, and so may a request that was on its way when it was given up.
  await sleep(5);
  violations.push(...(await eventually(broken)), ...invocations.flatMap((ended) => answerViolations(ended, plan)));
  invocations.forEach((_, place) => server.forget(`${number}.${place}`));
  return { plan, violations, invocations };
}

const questionOf = (place: number): string => `question ${place}`;

/** Each invocation brings its own. */
const unsaid: ChatModel = {
  provider: 'soak',
  chat: () =>
    of({
      type: 'completeResponse',
      response: { aiMessage: { role: 'assistant', text: 'It is well.', toolExecutionRequests: [] } },
    }),
};

function begin(service: AiService, plan: InvocationPlan, baseUrl: string, client: Client, question: string) {
  const ledger: Ledger = newLedger();
  const controller = new AbortController();
  const { signal } = controller;
  const model = wireModels[plan.provider]({
    modelName: 'soak',
    apiKey: 'sk-soak-0123456789',
    baseUrl,
    scheduler: clock,
    timeout: { firstByte: 4000, idle: 2000 },
  });
  const parameters = watched({
    ledger,
    client,
    meddles: plan.mode === 'start' && plan.meddles,
    onToolStart: () => invoked.onToolStart(),
  });
  const asked = ask(service, question, { model, signal, parameters }, plan);
  const invoked = invoke(asked, plan, ledger, () => controller.abort('enough'));
  return { plan, ledger, signal, ended: invoked.ended };
}

/** The turn on the memory must be free, and its history such that every provider takes it. */
async function memoryViolations(service: AiService, memory: SoakMemory, plan: Plan, invocations: readonly Ended[]) {
  memory.mend();
  // It has its turn when all that those before it have to write is written.
  const next = lastValueFrom(service.result('Is all well?'), { defaultValue: undefined }).catch(() => undefined);
  const held = await inPatience(next, 'the memory is not free for the next invocation');
  const kept = invocations.flatMap(({ ledger }, place) =>
    keptViolations(memory.messages(), plan.memory!, questionOf(place), ledger),
  );
  return [...held, ...kept, ...(await onEveryWire(memory.messages()))];
}
