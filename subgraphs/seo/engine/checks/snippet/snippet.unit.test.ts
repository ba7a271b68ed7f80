import type { CheckId } from '../../ruleset/Ruleset.ts';
import { type CheckCase, judge, surroundedBy, verdictOf } from '../judge.ts';

const tables: Partial<Record<CheckId, CheckCase[]>> = {
  'title.present': [
    ['a title', { title: 'x' }, 'good good'],
    ['an SEO title', { seoTitle: 'x' }, 'good good'],
    ['blank ones', { title: ' ', seoTitle: '' }, 'bad missing'],
    ['none', {}, 'bad missing'],
  ],
  'title.width': [
    ['541 pixels', { title: 'Used BMW 320d Touring 2019 for sale in Munich | AutoHaus' }, 'good good'],
    ['200 pixels', { title: '0'.repeat(18) }, 'good good'],
    ['189 pixels', { title: '0'.repeat(17) }, 'ok too_short'],
    ['578 pixels', { title: '0'.repeat(52) }, 'good good'],
    ['590 pixels', { title: '0'.repeat(53) }, 'ok too_long'],
    ['601 pixels', { title: '0'.repeat(54) }, 'bad too_long'],
    ['thirty ideographs', { title: '車'.repeat(30), locale: 'ja' }, 'ok too_long'],
    ['no title', {}, 'na no_title'],
  ],
  'title.unique': [
    ['nothing is known about other objects', { title: 'x' }, 'na object_unknown'],
    ['no other', { title: 'x', surroundings: surroundedBy() }, 'good good'],
    ['another', { title: 'x', surroundings: surroundedBy({ titleUses: 1 }) }, 'bad duplicate'],
    ['no title', { title: ' ', surroundings: surroundedBy() }, 'na no_title'],
  ],
  'meta.present': [
    ['a description', { metaDescription: 'x' }, 'good good'],
    ['a blank one', { metaDescription: ' ' }, 'bad missing'],
    ['none', {}, 'bad missing'],
  ],
  'meta.length': [
    ['120 characters', { metaDescription: 'x'.repeat(120) }, 'ok too_short'],
    ['121 characters', { metaDescription: 'x'.repeat(121) }, 'good good'],
    ['156 characters', { metaDescription: 'x'.repeat(156) }, 'good good'],
    ['157 characters', { metaDescription: 'x'.repeat(157) }, 'ok too_long'],
    ['astral characters count once', { metaDescription: '😀'.repeat(121) }, 'good good'],
    ['79 characters of Korean', { metaDescription: '가'.repeat(79), locale: 'ko' }, 'good good'],
    ['80 characters of Japanese', { metaDescription: 'あ'.repeat(80), locale: 'ja' }, 'ok too_long'],
    ['none', {}, 'na no_meta_description'],
  ],
  'meta.unique': [
    ['nothing is known about other objects', { metaDescription: 'x' }, 'na object_unknown'],
    ['no other', { metaDescription: 'x', surroundings: surroundedBy() }, 'good good'],
    [
      'another',
      { metaDescription: 'x', surroundings: surroundedBy({ descriptionUses: 1 }) },
      'bad duplicate',
    ],
    ['no description', { surroundings: surroundedBy() }, 'na no_meta_description'],
  ],
  'slug.format': [
    ['lower case with hyphens', { slug: 'used-bmw-320d' }, 'good good'],
    ['slashes around it', { slug: '/used-bmw/' }, 'good good'],
    ['lower-case letters of any script', { slug: 'подержанные-машины' }, 'good good'],
    ['the same percent-encoded', { slug: encodeURIComponent('подержанные-машины') }, 'good good'],
    ['upper case', { slug: 'Used-bmw' }, 'ok defects'],
    ['underscores', { slug: 'used_bmw' }, 'ok defects'],
    ['a double hyphen', { slug: 'used--bmw' }, 'ok defects'],
    ['nine words', { slug: 'a-b-c-d-e-f-g-h-i' }, 'ok defects'],
    ['76 characters', { slug: 'x'.repeat(76) }, 'ok defects'],
    ['two defects', { slug: 'Used_Bmw' }, 'bad defects'],
    ['a broken escape', { slug: 'a%zz' }, 'ok defects'],
    ['none', { slug: '' }, 'na no_slug'],
  ],
};

for (const [id, cases] of Object.entries(tables)) {
  describe(id, () => {
    test.each(cases)('%s', (_title, input, expected) => {
      expect(verdictOf(judge(id as CheckId, input))).toBe(expected);
    });
  });
}

test('a slug names each of its defects', () => {
  expect(judge('slug.format', { slug: 'Ab_'.repeat(30) }).value).toMatchObject({
    defects: ['too_long', 'too_many_words', 'upper_case', 'separators'],
  });
});
