import { toSlug } from './toSlug.ts';

test.each<[string, string, number?]>([
  ['Škoda Octavia 2.0 TDI, 5 Türen', 'skoda-octavia-2-0-tdi-5-turen'],
  ['Straße — æøå', 'strasse-aeoa'],
  ['日本', ''],
  ['-- a --', 'a'],
  ['aaaa bbbb', 'aaaa', 5],
])('the slug of %j is %j', (text, slug, length = 60) => {
  expect(toSlug(text, length)).toBe(slug);
});
