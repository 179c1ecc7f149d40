import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiService } from '../../src/service/ai-service.ts';
import { runMarbles } from '../../src/testing/run-marbles.ts';

describe('a tool that follows diagrams', () => {
  it('follows another one in each execution, and the last one in those beyond', () => {
    runMarbles(({ model, tool, expectEvents, expectSubscriptions }) => {
      const flaky = tool('a', ['-r|', '---s|']);
      const service = aiService({ model: model(['A|', 'A|', 'A|', 'z|']), tools: [flaky] });
      expectEvents(service.stream('Go')).toBe('(A<a)(*a%)(>aA<a)%-*a(>aA<a)%-*a(>az)($|)');
      expectSubscriptions(flaky).toBe('^-!', '--^---!', '------^---!');
    });
  });

  it('has all that other tools may have: parameters that are checked, and what is said of its calls', () => {
    runMarbles(({ model, tool, expectEvents }) => {
      const options = { parameters: z.object({ city: z.string() }), description: 'Tells the weather.' };
      const weather = tool('weather', 'r|', { ...options, returnBehavior: 'immediate' });
      expect(weather.specification).toMatchObject({ description: 'Tells the weather.', parameters: { required: ['city'] } });
      const calls = { A: { name: 'weather' }, B: { name: 'weather', arguments: '{"city":"Oslo"}' } };
      const service = aiService({ model: model(['A|', 'B|'], { calls }), tools: [weather] });
      const events = expectEvents(service.stream('Go'));
      events.toBe('(A<a>a)(%A<a*a)(>a%$|)', { '*a': { value: 'r' } });
    });
  });
});
