import type { Span } from '@opentelemetry/api';
import { jsonText } from '../chat/json-safe.ts';
import { attribute } from './gen-ai.ts';
import type { Guard } from './guard.ts';
import type { CaptureContent, ContentKind } from './tracing-options.ts';

export interface ContentCapture {
  /** Whether errors may be recorded with a message that quotes content: not where somebody redacts it. */
  readonly mayQuote: boolean;
  /** Puts a content on a span that is recorded, if that was asked for. It is made only then; `undefined` is none. */
  record(span: Span, kind: ContentKind, make: () => unknown): void;
}

export function contentCapture(option: boolean | CaptureContent | undefined, guard: Guard): ContentCapture {
  if (option === undefined || option === false) return { mayQuote: false, record: () => undefined };
  const redact: CaptureContent = option === true ? (content) => content : option;
  return {
    mayQuote: option === true,
    record(span, kind, make) {
      guard(() => {
        if (!span.isRecording()) return;
        const content = make();
        const recorded = content === undefined ? undefined : redacted(redact, content, kind);
        if (recorded !== undefined)
          span.setAttribute(attribute[kind], typeof recorded === 'string' ? recorded : jsonText(recorded));
      });
    },
  };
}

/** What can't be redacted is not recorded, and changes nothing of what is traced. */
function redacted(redact: CaptureContent, content: unknown, kind: ContentKind): unknown {
  try {
    return redact(content, kind);
  } catch {
    return undefined;
  }
}
