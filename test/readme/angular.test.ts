import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sections } from './snippets.ts';

const blocks = Array.from(
  sections.get('In Angular')!.matchAll(/^```typescript\n\/\/ (\S+)\n([\s\S]*?)^```/gm),
  ([, path, code]) => [path!, code!] as const,
);

describe("the README's Angular", () => {
  it.each(blocks)('shows %s as the app has it', (path, code) => {
    const file = new URL(`../angular/app/${path}`, import.meta.url);
    expect(code).toBe(readFileSync(file, 'utf8'));
  });

  it('shows providers, a tool, a component and its test', () => {
    expect(blocks.map(([path]) => path)).toEqual([
      'app.config.ts',
      'tools/add-appointment.ts',
      'quick/quick-chat.ts',
      'quick/quick-chat.spec.ts',
    ]);
  });
});
