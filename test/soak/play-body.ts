import type { ServerResponse } from 'node:http';
import type { BodyStep } from './body-script.ts';

/** Sends a body step by step, until it is over or the client leaves. */
export function playBody(response: ServerResponse, steps: readonly BodyStep[]): void {
  let place = 0;
  const next = () => {
    for (let step = steps[place++]; step && !response.destroyed; step = steps[place++]) {
      switch (step.type) {
        case 'send':
          response.write(step.bytes);
          break;
        case 'wait':
          if (step.ms === 0) return void setImmediate(next);
          return void setTimeout(next, step.ms);
        case 'end':
          return void response.end();
        case 'break':
          return void response.destroy();
        case 'stay':
          return;
      }
    }
  };
  next();
}
