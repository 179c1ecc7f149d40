import type { AiServiceEvent } from '../../src/event/ai-service-event.ts';
import { AiServiceInvocationSummaryEvent } from '../../src/event/invocation-summary-event.ts';
import { ToolExecutedEvent } from '../../src/event/tool-executed-event.ts';
import type { Ledger, RoundRecord } from './ledger.ts';
import { watchOf } from './watch.ts';

/** A listener that writes into the ledger of each invocation what its events say. */
export function eventKeeper(names: ReadonlySet<string>): (event: AiServiceEvent) => void {
  return (event) => {
    const ledger = watchOf(event.invocation.parameters)?.ledger;
    if (!ledger) return;
    const isBehindEnd = ledger.ends.length > ledger.summaries;
    if (isBehindEnd && event.type !== 'invocationSummary' && event.type !== 'toolCompensated')
      ledger.violations.push(`${event.type} was fired between the end and its summary`);
    switch (event.type) {
      case 'started':
        ledger.starts++;
        break;
      case 'requestIssued':
        ledger.rounds.push({ hasCulprit: false });
        break;
      case 'completed':
      case 'error':
      case 'cancelled':
        ledger.ends.push({ ending: event.type, rounds: ledger.rounds.length });
        break;
    }
    if (event instanceof ToolExecutedEvent && names.has(event.request.name)) blame(ledger, event);
    if (event instanceof AiServiceInvocationSummaryEvent) addSummary(ledger, event);
  };
}

/** Errors that are none of the tool: somebody has said no. */
const refusals = /^The call was not approved|^The tool was not called: /;

/** Of a call that ran and of one that only waited. */
const stopped = /^The tool was stopped: /;

function blame({ rounds }: Ledger, { isError, resultContents }: ToolExecutedEvent): void {
  const round = rounds.at(-1);
  const [content] = resultContents;
  const text = content?.type === 'text' ? content.text : '';
  if (!round || !isError || refusals.test(text)) return;
  const hasCulprit: RoundRecord['hasCulprit'] = stopped.test(text) ? 'maybe' : true;
  if (round.hasCulprit !== true) round.hasCulprit = hasCulprit;
}

function addSummary(ledger: Ledger, { events }: AiServiceInvocationSummaryEvent): void {
  ledger.summaries++;
  const ends = events.filter(({ type }) => type === 'completed' || type === 'error' || type === 'cancelled');
  if (ends.length !== 1 || events.at(-1) !== ends[0]) ledger.violations.push('the summary does not end with the only end');
}
