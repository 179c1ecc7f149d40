// Middles instead of means: one sample that the machine disturbed changes nothing.

export function quantile(numbers, share) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place % 1);
}

export const median = (numbers) => quantile(numbers, 0.5);
