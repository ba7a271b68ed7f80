import { toWordScore } from './toWordScore.ts';

const texts = (title: string, attributesText = '') => ({ title, attributesText });

test.each([
  ['convertible', 'Red convertibles', true],
  ['convertibles', 'A convertible', true],
  ['Tür', 'Fünf Türen', true],
  ['octavia', 'Škoda OCTAVIA', true],
  ['ford', 'Fordhouse collection', false],
  ['ford', 'Oxford', false],
  ['2', '2 doors', true],
])('%j is in the title %j: %s', (q, title, isThere) => {
  expect(toWordScore(q)(texts(title)) > 1).toBe(isThere);
});

test('a title counts for more than attributes, more words for more than one, a word once', () => {
  const score = toWordScore('red ford red');
  const [both, inTitle, inAttributes, nowhere] = [
    score(texts('Red Ford')),
    score(texts('A Ford, a ford')),
    score(texts('A car', 'ford')),
    score(texts('A car')),
  ];
  expect([both, inTitle, inAttributes, nowhere]).toEqual([21, 11, 6, 1]);
});

test('long texts take time in proportion', () => {
  const score = toWordScore('a'.repeat(200));
  const begun = performance.now();
  score(texts('a'.repeat(100_000), 'b '.repeat(50_000)));
  expect(performance.now() - begun).toBeLessThan(500);
});
