export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** What a tool tells of its progress, where it tells a part of a whole. */
export function progressOf(value: unknown): Progress | undefined {
  const { done, total } = Object(value) as Partial<Record<keyof Progress, unknown>>;
  return typeof done === 'number' && typeof total === 'number' ? { done, total } : undefined;
}
