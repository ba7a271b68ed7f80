import { createHash } from 'node:crypto';
import { digestOf } from '../../platform/content/digestOf.ts';
import { changedFields, digestPattern, toTexts } from './contentDigest.ts';
import { checkTexts, missingTexts } from './translatableFields.ts';

const digest = (texts: Parameters<typeof digestOf>[0]): string => digestOf(texts).digest;

test('a digest is the hash of the RFC 8785 form of the texts', () => {
  const canonical = '{"description":"b","title":"a"}';
  const expected = `v1:${createHash('sha256').update(canonical).digest('base64url')}`;
  expect(digest({ title: 'a', description: 'b' })).toBe(expected);
  expect(digest({ description: 'b', title: 'a' })).toBe(expected);
  expect(expected).toMatch(digestPattern);
});

test('texts with different boundaries have different digests', () => {
  expect(digest({ title: 'a|b', description: 'c' })).not.toBe(digest({ title: 'a', description: 'b|c' }));
  expect(digest({ title: '' })).not.toBe(digest({}));
});

test('line ends and Unicode normalization forms do not change a digest', () => {
  expect(digest({ title: 'Café\r\nx\ry' })).toBe(digest({ title: 'Cafe\u0301\nx\ny' }));
});

test('a lone surrogate has the digest of the replacement character', () => {
  expect(digest({ title: 'a\ud800' })).toBe(digest({ title: 'a\ufffd' }));
});

test('changedFields names the changed texts, or all of them if the earlier digests are unknown', () => {
  const before = digestOf({ title: 'a', description: 'b' }).fieldDigests;
  const now = digestOf({ title: 'a', description: 'c', slug: 'd' }).fieldDigests;
  expect(changedFields(before, now)).toEqual(['description', 'slug']);
  expect(changedFields({}, now)).toEqual(['title', 'description', 'slug']);
});

test('only translatable fields of an object are texts', () => {
  expect(toTexts('listing', { title: 'a', price: '1', ['__proto__']: 'x' })).toEqual({ title: 'a' });
  expect(toTexts('dealer', { title: 'a', description: 'b' })).toEqual({ description: 'b' });
});

test.each<['listing' | 'dealer', string, Record<string, string | null>, ...string[]]>([
  ['listing', 'a title of 120 characters', { title: '🚗'.repeat(120) }],
  ['listing', 'a title of 121 characters', { title: '🚗'.repeat(121) }, 'title too_long'],
  [
    'listing',
    'a description of 20,001 characters',
    { description: 'x'.repeat(20_001) },
    'description too_long',
  ],
  ['dealer', 'a description of 5,001 characters', { description: 'x'.repeat(5001) }, 'description too_long'],
  ['dealer', 'a title', { title: 'a' }, 'title unknown_field'],
  ['listing', 'a slug of words', { slug: 'bonne-voiture-2019' }],
  ['listing', 'a slug in another script', { slug: 'سيارة-جيدة' }],
  ['listing', 'a slug with a space', { slug: 'bonne voiture' }, 'slug invalid'],
  ['listing', 'a slug with a path', { slug: '../admin' }, 'slug invalid'],
  ['listing', 'a title of null', { title: null }],
])('checkTexts reports the violations of a %s with %s', (type, _, texts, ...problems) => {
  const found = checkTexts(type, texts).map(({ pointer, code }) => `${pointer} ${code}`);
  expect(found).toEqual(problems.map((problem) => `#/fields/${problem}`));
});

test('a blank or absent required text is missing', () => {
  expect(missingTexts('listing', { title: ' ', slug: 'a' })).toEqual(['title', 'description']);
  expect(missingTexts('dealer', { description: 'x' })).toEqual([]);
});
