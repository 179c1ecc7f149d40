export type BarKind =
  | 'retrieval'
  | 'request'
  | 'delay'
  | 'thought'
  | 'text'
  | 'writing'
  | 'dropped'
  | 'waiting'
  | 'approval'
  | 'running'
  | 'failing'
  | 'stopped'
  | 'within'
  | 'standing';

export type MarkKind = 'progress' | 'ok' | 'error' | 'cancelled' | 'denied' | 'undone' | 'notUndone' | 'retry' | 'restart';

/** What a legend calls them, in its order. */
export const kindTexts: Readonly<Record<BarKind | MarkKind, string>> = {
  retrieval: 'retrieval',
  request: 'waiting for the model',
  delay: 'pause before a retry',
  thought: 'thoughts',
  text: 'text',
  writing: 'writing a call',
  dropped: 'dropped',
  waiting: 'call waits',
  approval: 'waits for approval',
  running: 'tool runs',
  failing: 'tool fails',
  stopped: 'tool is stopped',
  within: 'ran in this time',
  standing: 'until undone',
  progress: 'progress',
  ok: 'result',
  error: 'error',
  cancelled: 'cancelled',
  denied: 'denied',
  undone: 'undone',
  notUndone: 'could not be undone',
  retry: 'retry',
  restart: 'asked again',
};

export const kindOrder = Object.keys(kindTexts) as readonly (BarKind | MarkKind)[];

/** Kinds that a legend tells as another: how such a run ended is told by its mark. */
export const told: Readonly<Partial<Record<string, BarKind>>> = { failing: 'running', stopped: 'running' };
