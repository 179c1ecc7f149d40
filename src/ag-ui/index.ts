export type { AgUiEvent, AgUiInterrupt, AgUiOutcome, AgUiTokenUsage } from './ag-ui-event.ts';
export type { AgUiMessage, AgUiPart, AgUiSource, AgUiToolCall } from './ag-ui-message.ts';
export { agUiRuns, type AgUiRuns, type AgUiRunsOptions } from './ag-ui-runs.ts';
export { fromAgUiInput, type AgUiInput } from './from-ag-ui-input.ts';
export type { AgUiResume, RunAgentInput } from './run-agent-input.ts';
export { toAgUi, type ToAgUiOptions } from './to-ag-ui.ts';
export { sendSse, type NodeResponse } from '../sse-response/send-sse.ts';
export type { SseOptions } from '../sse-response/sse-options.ts';
export { toSseResponse } from '../sse-response/to-sse-response.ts';
