import { parseAcceptLanguage } from './parseAcceptLanguage.ts';

test.each([
  ['', []],
  ['*', []],
  ['en;q=abc', []],
  ['de;q=0', []],
  ['de;q=1.5, fr;q=0.5', ['fr']],
  ['de;q=1.001, fr', ['fr']],
  ['de; q=2', []],
  ['de;Q=5, fr', ['fr']],
  ['de;q=Infinity, fr', ['fr']],
  ['de;q=1e3, fr', ['fr']],
  ['de;q=-1, fr', ['fr']],
  ['de;q=1.000, fr;q=1', ['de', 'fr']],
  ['en;q=0.5, fr-CH;q=0.9, *;q=0.1, de', ['de', 'fr-CH', 'en']],
  ['en_US, pt-br', ['en-US', 'pt-BR']],
  ['iw', ['he']],
  ['x-pirate, 123, fr', ['fr']],
  ['fr, FR, fr;q=0.3', ['fr']],
])('the header "%s" is parsed as %j', (header, wanted) => {
  expect(parseAcceptLanguage(header)).toEqual(wanted);
});

test('at most 20 ranges of a header are read', () => {
  const header = [...Array(25).keys()].map((index) => `a${String.fromCharCode(97 + index)}`).join(',');
  expect(parseAcceptLanguage(header)).toHaveLength(20);
});

test('only the complete ranges in the first 1,000 characters of a header are read', () => {
  const header = `fr,${' '.repeat(990)}de-CH-1996,${'x'.repeat(100_000)}`;
  expect(parseAcceptLanguage(header)).toEqual(['fr']);
  expect(parseAcceptLanguage('a'.repeat(100_000))).toEqual([]);
});
