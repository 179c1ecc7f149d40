import { TestScheduler } from 'rxjs/testing';
import { drawNotifications } from './draw-notifications.ts';

/**
 * RxJS' own `TestScheduler`, for diagrams in RxJS' notation, whose failures draw what was expected and what came under each
 * other, with a legend, instead of dumping frames.
 *
 * @example
 * toolScheduler().run(({ cold, expectObservable }) => {
 *   expectObservable(cold('-a-b|').pipe(map((text) => text.toUpperCase()))).toBe('-A-B|');
 * });
 */
export function toolScheduler(): TestScheduler {
  return new TestScheduler((actual: readonly unknown[], expected: readonly unknown[]) => {
    const { drawings, legend } = drawNotifications(actual, expected);
    const [came = '', wanted = ''] = drawings;
    if (came === wanted) return;
    const drawn = [`expected   ${wanted}`, `actual     ${came}`];
    const named = legend.map((line, place) => `${place === 0 ? 'legend' : '      '}     ${line}`);
    const grouped = /\(/.test(came + wanted) ? ['           (in these drawings a group takes one frame)'] : [];
    throw new Error(['The marbles differ:', ...drawn, ...grouped, ...named].join('\n'));
  });
}
