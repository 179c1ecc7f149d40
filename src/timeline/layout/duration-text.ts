const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A duration in ms as people write it. */
export function durationText(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${(ms / second).toFixed(2)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ${Math.floor((ms % minute) / second)} s`;
  return `${Math.floor(ms / hour)} h ${Math.floor((ms % hour) / minute)} min`;
}

/** A point of an axis, in the unit in which it is shortest. */
export function tickText(ms: number): string {
  if (ms === 0) return '0';
  if (ms < second) return `${ms} ms`;
  if (ms < minute) return `${ms / second} s`;
  if (ms < hour) return `${parts(ms / second)} min`;
  return `${parts(ms / minute)} h`;
}

/** In sixtieths: `1:30`, and `2` where nothing is left over. */
function parts(value: number): string {
  const rest = Math.round(value % 60);
  return `${Math.floor(value / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}
