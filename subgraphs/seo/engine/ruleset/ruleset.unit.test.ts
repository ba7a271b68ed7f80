import { checks } from '../checks/registry.ts';
import { mergeRuleset, RulesetError, type RulesetOverrides } from './mergeRuleset.ts';
import type { Points } from './Ruleset.ts';
import { ruleset2026 } from './ruleset2026.ts';

function sum(points: Points, readability: boolean, profile: 'article' | 'product'): number {
  return checks
    .filter((check) => (check.group === 'readability') === readability)
    .reduce((total, check) => total + (points[check.id][profile] ?? 0), 0);
}

describe('the ruleset 2026.1', () => {
  test('the ruleset 2026.1 gives an article 100 points for search and 100 for readability', () => {
    expect(sum(ruleset2026.points, false, 'article')).toBe(100);
    expect(sum(ruleset2026.points, true, 'article')).toBe(100);
  });

  test('the ruleset 2026.1 gives a product the points of its links for identifier and offer', () => {
    expect(sum(ruleset2026.points, false, 'product')).toBe(100);
  });

  test('lists exactly the checks that exist, each once', () => {
    expect(checks.map((check) => check.id)).toEqual(Object.keys(ruleset2026.points));
    expect(new Set(checks.map((check) => check.id)).size).toBe(checks.length);
  });

  test('lets no check weigh more than nine points for search', () => {
    const search = checks.filter((check) => check.group !== 'readability');
    expect(
      search.flatMap((check) => Object.values(ruleset2026.points[check.id])).every((points) => points <= 9),
    ).toBe(true);
  });
});

describe('overrides', () => {
  test('replace single numbers and leave the base alone', () => {
    const merged = mergeRuleset(ruleset2026, {
      id: '2026.1+dealer',
      points: { 'title.width': { article: 4 } },
      thresholds: { 'content.length': { words: { product: { standard: 120 } } } },
    });
    expect(merged.id).toBe('2026.1+dealer');
    expect(merged.points['title.width']).toEqual({ article: 4, product: 5, collection: 5, page: 5 });
    expect(merged.thresholds['content.length'].words.product).toEqual({ standard: 120, cornerstone: 400 });
    expect(ruleset2026.points['title.width'].article).toBe(5);
  });

  test('overrides may add a language and a profile', () => {
    const merged = mergeRuleset(ruleset2026, {
      points: { 'links.outbound': { page: 2 } },
      thresholds: { 'sentences.length': { words: { sv: 18 } } },
    });
    expect(merged.points['links.outbound']).toEqual({ article: 2, page: 2 });
    expect(merged.thresholds['sentences.length'].words).toMatchObject({ sv: 18, es: 25 });
  });

  test.each([
    ['an unknown check', { points: { 'title.length': { article: 1 } } }, '/points/title.length'],
    ['an unknown threshold', { thresholds: { 'title.width': { px: 1 } } }, '/thresholds/title.width/px'],
    ['a text for a number', { points: { 'title.width': { article: '5' } } }, '/points/title.width/article'],
    ['a negative number', { points: { 'title.width': { article: -1 } } }, '/points/title.width/article'],
    [
      'an infinite number',
      { scoring: { fewestCharacters: Number.POSITIVE_INFINITY } },
      '/scoring/fewestCharacters',
    ],
    ['null', { thresholds: null }, '/thresholds'],
    ['a list', { points: [] }, '/points'],
    ['an empty id', { id: '' }, '/id'],
    [
      'a range upside down',
      { thresholds: { 'meta.length': { characters: { min: 200 } } } },
      '/thresholds/meta.length/characters',
    ],
    [
      'swapped limits',
      { thresholds: { 'passive.share': { share: { good: 0.5 } } } },
      '/thresholds/passive.share/share',
    ],
    ['a prototype', JSON.parse('{"points":{"__proto__":{"article":1}}}'), '/points/__proto__'],
  ])('refuse %s', (_title, overrides, pointer) => {
    let refused: unknown;
    try {
      mergeRuleset(ruleset2026, overrides as RulesetOverrides);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(RulesetError);
    expect((refused as RulesetError).pointer).toBe(pointer);
  });
});
