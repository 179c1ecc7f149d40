import type { Layout } from '../layout/layout.ts';

/** How many calls are told in words. */
const mostTold = 12;

/** The picture in words, for those who don't see it. */
export function describe({ title, headline, problem, calls }: Layout): { readonly name: string; readonly description: string } {
  const told = calls.slice(0, mostTold).map(({ label, note }) => `${label.slice(0, 60)}: ${note}`);
  const more = calls.length > mostTold ? [`and ${calls.length - mostTold} more`] : [];
  const parts = [headline, problem, [...told, ...more].join('; ')].filter(Boolean);
  return { name: `Timeline of ${title}`, description: `${parts.map((part) => part.replace(/\.$/, '')).join('. ')}.` };
}
