export { tracing, type Tracing } from './tracing.ts';
export type { CaptureContent, ContentKind, TracingOptions } from './tracing-options.ts';
export { withTracing } from './with-tracing.ts';
