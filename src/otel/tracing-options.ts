import type { Meter, Tracer } from '@opentelemetry/api';
import type { TimestampProvider } from 'rxjs';
import { checkFlag, checkKnownOptions, checkMethods, invalidOption } from '../chat/option-checks.ts';

/** What of a conversation can be put on spans. */
export type ContentKind =
  'inputMessages' | 'outputMessages' | 'systemInstructions' | 'toolDefinitions' | 'toolArguments' | 'toolResult';

/** What is recorded instead of a content, as text or as anything JSON can hold; `undefined` leaves it out. */
export type CaptureContent = (content: unknown, kind: ContentKind) => unknown;

export interface TracingOptions {
  /** By default that of the registered provider, also if it is registered later. */
  readonly tracer?: Tracer | undefined;
  /** By default that of the registered provider, also if it is registered later. */
  readonly meter?: Meter | undefined;
  /**
   * Whether messages, arguments and results are put on the spans. They are not by default, since they hold what users say. A function
   * decides for each and may shorten or redact it: it is given a copy, and leaves out what it throws at or gives a promise for.
   */
  readonly captureContent?: boolean | CaptureContent | undefined;
  /** Whether the time between two pieces of an answer is measured too. Not by default: it costs a measurement a token. */
  readonly timePerOutputChunk?: boolean | undefined;
  /** Where time comes from. By default the clock of the SDK for spans, and `performance.now()` for durations. */
  readonly scheduler?: TimestampProvider | undefined;
}

const known: readonly (keyof TracingOptions)[] = ['tracer', 'meter', 'captureContent', 'timePerOutputChunk', 'scheduler'];

/** Throws a `ConfigurationError` that names the option, its value and the remedy. */
export function checkTracingOptions(where: string, options: TracingOptions): void {
  checkKnownOptions(where, options, known);
  checkMethods(where, 'tracer', options.tracer, ['startSpan']);
  checkMethods(where, 'meter', options.meter, ['createHistogram']);
  checkMethods(where, 'scheduler', options.scheduler, ['now']);
  checkFlag(where, 'timePerOutputChunk', options.timePerOutputChunk);
  const { captureContent } = options;
  if (captureContent !== undefined && typeof captureContent !== 'boolean' && typeof captureContent !== 'function')
    throw invalidOption(
      where,
      'captureContent',
      captureContent,
      'it must be true, false, or a function of a content and its kind',
    );
}
