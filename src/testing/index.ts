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
