import type { Span } from '@opentelemetry/api';
import { jsonSafe, jsonText } from '../chat/json-safe.ts';
import { isPromiseLike } from '../chat/value.ts';
import { attribute } from './gen-ai.ts';
import { warnOnce, type Guard } from './guard.ts';
import type { CaptureContent, ContentKind } from './tracing-options.ts';

export interface ContentCapture {
  /** Whether errors may be recorded with a message that quotes content: not where somebody redacts it. */
  readonly mayQuote: boolean;
  /** Puts a content on a span that is recorded, if that was asked for. It is made only then; `undefined` is none. */
  record(span: Span, kind: ContentKind, make: () => unknown): void;
}

export function contentCapture(option: boolean | CaptureContent | undefined, guard: Guard): ContentCapture {
  if (option === undefined || option === false) return { mayQuote: false, record: () => undefined };
  const redact = option === true ? (content: unknown) => content : redactor(option);
  return {
    mayQuote: option === true,
    record(span, kind, make) {
      guard(() => {
        if (!span.isRecording()) return;
        const content = make();
        const recorded = content === undefined ? undefined : redact(content, kind);
        if (recorded !== undefined)
          span.setAttribute(attribute[kind], typeof recorded === 'string' ? recorded : jsonText(recorded));
      });
    },
  };
}

/** What can't be redacted is not recorded, and changes nothing of what is traced. */
function redactor(redact: CaptureContent): CaptureContent {
  const warn = warnOnce();
  return (content, kind) => {
    try {
      // A copy: what is traced is in use.
      const recorded = redact(jsonSafe(content), kind);
      if (!isPromiseLike(recorded)) return recorded;
      recorded.then(undefined, () => undefined);
      warn(() => 'toolstream: captureContent gives a promise, and so leaves its content out; let it give the content at once.');
    } catch {
      // Left out.
    }
    return undefined;
  };
}
