import { checkCatalogue } from './checkCatalogue.ts';
import { mergeRuleset } from './ruleset/mergeRuleset.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';

const ids = (...parameters: Parameters<typeof checkCatalogue>) =>
  checkCatalogue(...parameters).map(({ id }) => id);

describe('the catalogue', () => {
  test('lists every check with a title, a description and its numbers', () => {
    const catalogue = checkCatalogue();
    expect(catalogue).toHaveLength(49);
    expect(catalogue.filter(({ title, description }) => !title || !description.endsWith('.'))).toEqual([]);
    expect(catalogue.find(({ id }) => id === 'title.width')).toMatchObject({
      group: 'snippet',
      maxPoints: 5,
      thresholds: { pixels: { good: { min: 200, max: 580 }, ok: { min: 1, max: 600 } } },
      languages: null,
      profiles: ['article', 'product', 'collection', 'page'],
    });
  });

  test('for a profile lists what that profile runs, with its points', () => {
    expect(ids('product')).toEqual(expect.arrayContaining(['product.offer', 'lists.present']));
    expect(ids('product')).not.toContain('links.internal');
    expect(ids('collection')).not.toContain('images.present');
    expect(checkCatalogue('product').reduce((sum, { maxPoints }) => sum + maxPoints, 0)).toBe(200);
  });

  test('for a locale leaves out what its language data does not allow', () => {
    expect(ids(null, 'en_GB')).toHaveLength(49);
    expect(ids(null, 'ru')).toContain('passive.share');
    expect(ids(null, 'fi')).not.toContain('passive.share');
    expect(ids(null, 'nb-NO')).toContain('keyphrase.function_words_only');
    expect(ids(null, 'zh')).not.toContain('keyphrase.function_words_only');
  });

  test('shows the numbers of an overridden ruleset and cannot be used to change them', () => {
    const ruleset = mergeRuleset(ruleset2026, { points: { 'title.width': { article: 4 } } });
    expect(checkCatalogue('article', null, ruleset).find(({ id }) => id === 'title.width')?.maxPoints).toBe(
      4,
    );
    const [first] = checkCatalogue();
    if (first && typeof first.thresholds === 'object')
      Object.assign(first.thresholds ?? {}, { contentWords: 1 });
    expect(ruleset2026.thresholds['keyphrase.length'].contentWords).toEqual({
      good: { min: 1, max: 4 },
      ok: { min: 1, max: 8 },
    });
  });
});
