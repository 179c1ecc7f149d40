export { parseTimeline } from './parse-timeline.ts';
export { recordTimeline, type TimelineRecorder } from './record-timeline.ts';
export type { RecordTimelineOptions } from './recorder/options.ts';
export { renderAscii, type RenderAsciiOptions } from './render-ascii.ts';
export { renderSvg, type RenderSvgOptions } from './render-svg.ts';
export { timelines } from './timelines.ts';
export type { CallOutcome, Timeline, TimelineCall, TimelineRetry, TimelineRound, TimelineSegment } from './timeline.ts';
