export type { Cassette, CassetteExchange, TapedEnd, TapedEvent } from './cassette/cassette.ts';
export { CassetteError } from './cassette/cassette-error.ts';
export { cassetteModel, type CassetteModel, type CassetteModelOptions } from './cassette/cassette-model.ts';
export type { CassetteMatch } from './cassette/match-request.ts';
export { parseCassette } from './cassette/parse-cassette.ts';
export { recordCassette, type RecordCassetteOptions, type RecordingModel } from './cassette/record-cassette.ts';
export type { Redact } from './cassette/redaction.ts';
export type { TapedError } from './cassette/taped-error.ts';
export { eventSymbol, type ToolLetters } from './event-symbol.ts';
export type { Legend } from './difference.ts';
export type { ExpectedMessage } from './compare-memory.ts';
export { recordMarbles, type FakeTimers, type RecordedMarbles, type RecordMarblesOptions } from './record-marbles.ts';
export type { ComparedRecording, Recording } from './recording.ts';
export { runMarbles, type MarbleKit } from './run-marbles.ts';
export {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedItem,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedRound,
} from './scripted-model.ts';
export { scriptedTool, type ScriptedTool, type ScriptedToolOptions } from './scripted-tool.ts';
export { sequentialIds } from './sequential-ids.ts';
export { toolScheduler } from './tool-scheduler.ts';
