import type { UiToolCall } from 'toolstream/angular';

const texts: Readonly<Record<UiToolCall['status'], string>> = {
  writing: 'Being written',
  waiting: 'Waiting',
  awaitingApproval: 'Needs your approval',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  stopped: 'Stopped',
  notRun: 'Not run',
};

/** What has become of a call, and how long it took where that was long enough to be noticed. */
export function statusText({ status, execution }: UiToolCall): string {
  const isTimed = execution && execution.duration >= 50 && (status === 'done' || status === 'failed');
  return isTimed ? `${texts[status]} in ${(execution.duration / 1000).toFixed(1)} s` : texts[status];
}
