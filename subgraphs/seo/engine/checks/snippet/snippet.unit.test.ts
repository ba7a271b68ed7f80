import { runCheck, surroundedBy, testChecks } from '../../../../../test/support/checks/runCheck.ts';

testChecks({
  'title.present': [
    ['a title', { title: 'x' }, 'good good'],
    ['an SEO title', { seoTitle: 'x' }, 'good good'],
    ['blank ones', { title: ' ', seoTitle: '' }, 'bad missing'],
    ['none', {}, 'bad missing'],
  ],
  'title.width': [['no title', {}, 'na no_title']],
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
    ['astral characters count once', { metaDescription: '😀'.repeat(121) }, 'good good'],
    ['80 characters of Japanese', { metaDescription: 'あ'.repeat(80), locale: 'ja' }, 'ok too_long'],
    ['none', {}, 'na no_meta_description'],
  ],
  'meta.unique': [
    ['nothing is known about other objects', { metaDescription: 'x' }, 'na object_unknown'],
    ['no other', { metaDescription: 'x', surroundings: surroundedBy() }, 'good good'],
    ['one', { metaDescription: 'x', surroundings: surroundedBy({ descriptionUses: 1 }) }, 'bad duplicate'],
    ['no description', { surroundings: surroundedBy() }, 'na no_meta_description'],
  ],
  'slug.format': [
    ['lower case with hyphens', { slug: 'used-bmw-320d' }, 'good good'],
    ['slashes around it', { slug: '/used-bmw/' }, 'good good'],
    ['lower-case letters of any script', { slug: 'подержанные-машины' }, 'good good'],
    ['the same percent-encoded', { slug: encodeURIComponent('подержанные-машины') }, 'good good'],
    ['underscores', { slug: 'used_bmw' }, 'ok defects'],
    ['a double hyphen', { slug: 'used--bmw' }, 'ok defects'],
    ['a broken escape', { slug: 'a%zz' }, 'ok defects'],
    ['none', { slug: '' }, 'na no_slug'],
  ],
});

test('a slug names each of its defects', () => {
  expect(runCheck('slug.format', { slug: 'Ab_'.repeat(30) }).value).toMatchObject({
    defects: ['too_long', 'too_many_words', 'upper_case', 'separators'],
  });
});
