import { diag } from '@opentelemetry/api';
import { messageOf } from '../tool/tool-errors.ts';

/** Does what touches a tracer, a span or a meter, or anything of a user's; `undefined` where that throws. */
export type Guard = <T>(touch: () => T) => T | undefined;

/** What is traced goes on as without tracing, whatever telemetry throws. It is told once, since it may happen with each span. */
export function guard(): Guard {
  const warn = warnOnce();
  return (touch) => {
    try {
      return touch();
    } catch (error) {
      warn(() => `toolstream: telemetry is left out where it throws: ${messageOf(error)}`);
      return undefined;
    }
  };
}

/** Tells the logger of OpenTelemetry the first time, and nothing afterwards. */
export function warnOnce(): (words: () => string) => void {
  let hasWarned = false;
  return (words) => {
    if (hasWarned) return;
    hasWarned = true;
    try {
      diag.warn(words());
    } catch {
      // There is nobody else to tell.
    }
  };
}
