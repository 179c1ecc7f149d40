// From the turns of a scenario to the figures of a row.
import { median, quantile } from './statistics.mjs';

const isNumber = (value) => typeof value === 'number' && !Number.isNaN(value);

function figuresOf(subject, turns, pick, hasRatio) {
  const values = [];
  const ratios = [];
  for (const turn of turns) {
    const value = turn[subject] && pick(turn[subject]);
    if (!isNumber(value)) continue;
    values.push(value);
    const ratio = turn.floor ? value / pick(turn.floor) : NaN;
    if (Number.isFinite(ratio)) ratios.push(ratio);
  }
  if (values.length === 0) return undefined;
  // What two subjects are compared by: the ratios to the floor where there are any, for they were measured in the same turns.
  const compared = hasRatio && ratios.length ? ratios : values;
  return {
    value: median(values),
    ...(hasRatio && ratios.length && { ratio: median(ratios) }),
    ...{ middle: median(compared), from: quantile(compared, 0.25), to: quantile(compared, 0.75), turns: values.length },
  };
}

/** The peers that are best: none if none was measured, several if they are equal. */
function bestOf({ floor, ours, ...peers }) {
  const least = Math.min(...Object.values(peers).map(({ middle }) => middle));
  return Object.keys(peers).filter((peer) => peers[peer].middle === least);
}

/** Whether the best peer is better than ours, and if so, whether the middle halves of the samples overlap. */
function lossTo(peer, { ours, [peer]: best }) {
  return ours && best && best.middle < ours.middle ? { peer, isClose: best.to >= ours.from } : undefined;
}

/** One row: title, unit, budget, the figures of each subject by name, the best peers, and whether we lose to it. */
export function rowOf(row, { turns }, subjects) {
  const { key, title, unit, budget, isAbsolute = false, isCompared = true } = row;
  const hasRatio = !isAbsolute && row.hasRatio !== false;
  const pick = row.of ?? ((numbers) => numbers[key]);
  const measured = subjects.map((subject) => [subject, figuresOf(subject, turns, pick, hasRatio)]);
  const figures = Object.fromEntries(measured.filter(([, figure]) => figure));
  const { ours } = figures;
  const judged = isAbsolute ? ours?.value : ours?.ratio;
  const best = isCompared ? bestOf(figures) : [];
  return {
    ...{ title, unit, budget, isAbsolute, hasRatio, figures },
    ...(budget !== undefined && judged !== undefined && { verdict: judged <= budget ? 'ok' : 'over' }),
    ...{ best, loss: lossTo(best[0], figures) },
  };
}
