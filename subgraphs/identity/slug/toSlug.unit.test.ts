import { toSlug } from './toSlug.ts';

test.each([
  ['Škoda Octavia 2.0 TDI, 5 Türen', 'skoda-octavia-2-0-tdi-5-turen'],
  ['Straße — æøå', 'strasse-aeoa'],
  ['日本', ''],
  ['-- a --', 'a'],
  ['aaaa bbbb', 'aaaa'],
])('the slug of %j is %j', (text, slug) => {
  expect(toSlug(text, text === 'aaaa bbbb' ? 5 : 60)).toBe(slug);
});
