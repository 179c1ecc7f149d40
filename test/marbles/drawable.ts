import { modes } from '../../src/service/modes.ts';
import type { ServiceSettings, Spec } from './spec.ts';

const { toolConcurrency, toolArgumentsErrorHandler, toolExecutionErrorHandler } = modes.legacy;
const legacy: ServiceSettings = { toolConcurrency, toolArgumentsErrorHandler, toolExecutionErrorHandler };

/** The spec as it is drawn: the same invocation, called in the way of which there is most to see. */
export function drawable(spec: Spec): Spec {
  const { diagram, call, options = {} } = spec;
  // A token stream is a stream with other defaults, whose callbacks tell less.
  if (call === 'tokenStream') {
    const settings = typeof options === 'function' ? options : () => options;
    return { ...spec, call: 'stream', options: (kit) => ({ ...legacy, ...settings(kit) }) };
  }
  const hasViews = /^ *(?:text|result) /m.test(diagram);
  return {
    ...spec,
    // Only what was started has events beside its text.
    call: call ?? (hasViews ? 'start' : 'stream'),
    // A growing object is one of the events that it is made of.
    diagram: diagram.replace(/^( *)partial /m, '$1events '),
  };
}
