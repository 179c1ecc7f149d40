/** ms, about 25 days: what is longer overflows the platform's timers, which then ring at once. */
export const longestTimer = 0x7fffffff;
