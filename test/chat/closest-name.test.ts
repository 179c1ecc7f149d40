import { describe, expect, it } from 'vitest';
import { closestName } from '../../src/chat/closest-name.ts';

describe('the closest name', () => {
  const names = ['get_weather', 'get_forecast', 'search', 'ls'];

  it.each<[name: string, meant: string | undefined]>([
    ['get_wether', 'get_weather'],
    ['GetWeather', 'get_weather'],
    ['get-weather', 'get_weather'],
    ['seach', 'search'],
    ['serch_', 'search'],
    ['get_forecasts', 'get_forecast'],
    ['LS', 'ls'],
    ['cd', undefined],
    ['delete_everything', undefined],
    ['', undefined],
  ])('to %j is %j', (name, meant) => {
    expect(closestName(name, names)).toBe(meant);
  });

  it('is the nearest, and the first of those that are equally near', () => {
    expect(closestName('get_item', ['get_items', 'get_item_', 'getItem'])).toBe('get_item_');
    expect(closestName('list_a', ['list_b', 'list_c'])).toBe('list_b');
  });

  it('is found in a moment among many endless names', () => {
    const long = Array.from({ length: 500 }, (_, place) => `${place}${'y'.repeat(100_000)}`);
    expect(closestName('x'.repeat(100_000), [...long, 'x'])).toBeUndefined();
  });
});
