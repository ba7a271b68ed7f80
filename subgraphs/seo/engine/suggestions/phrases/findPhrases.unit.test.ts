import { createContext } from '../../createContext.ts';
import { ruleset2026 } from '../../ruleset/ruleset2026.ts';
import { findPhrases } from './findPhrases.ts';

function phrasesOf(locale: string, title: string, content: string): string[] {
  const { context } = createContext({ locale, title, content }, 'article', ruleset2026.thresholds);
  return findPhrases(context).map(({ text }) => text);
}

test.each([
  [
    'en',
    'How to store winter tyres',
    'Winter tyres age. We store winter tyres. Tyres dry. Tyres hang.',
    'winter tyres',
  ],
  [
    'de',
    'Wärmepumpe im Altbau',
    'Eine Wärmepumpe im Altbau spart. Die Wärmepumpe heizt.',
    'Wärmepumpe im Altbau',
  ],
  [
    'fr',
    "Voitures d'occasion",
    "Nos voitures d'occasion sont ici. Les voitures d'occasion roulent.",
    "voitures d'occasion",
  ],
  ['fr', 'Machines à pain', 'Une machine à pain pétrit. Les machines à pain cuisent.', 'machines à pain'],
  ['es', 'Silla de oficina', 'Una silla de oficina ayuda. La silla de oficina gira.', 'silla de oficina'],
  ['de', 'Akku pflegen', 'Der E-Bike-Akku altert. Ein E-Bike-Akku bleibt. Der Akku lädt.', 'E-Bike-Akku'],
])('the first phrase of a page in %s titled "%s" is a noun phrase', (locale, title, text, phrase) => {
  expect(phrasesOf(locale, title, `<p>${text}</p>`)[0]).toBe(phrase);
});

test('a verb neither begins nor ends a phrase', () => {
  const text = 'Make sure it is dry. Make sure the saw is sharp. You prune old trees. We prune old trees.';
  expect(phrasesOf('en', '', `<p>${text}</p>`)).toEqual(['old trees']);
});

test('an elided article is not part of a phrase', () => {
  const text = "L'Alfa Romeo roule bien. On aime l'Alfa Romeo ici.";
  expect(phrasesOf('fr', '', `<p>${text}</p>`)).toEqual(['Alfa Romeo']);
});

test('words that are always together are not separated', () => {
  const found = phrasesOf(
    'en',
    'Bosch brake disc',
    '<p>A Bosch brake disc fits. The Bosch brake disc is new.</p>',
  );
  expect(found).toEqual(['Bosch brake disc']);
});

test('a phrase of the title that the body does not contain is not suggested', () => {
  expect(
    phrasesOf('en', 'Our grand selection', '<p>Coffee beans are roasted. Coffee beans smell.</p>'),
  ).toEqual(['Coffee beans']);
});

test('the time grows linearly with the words', () => {
  const page = (times: number): string =>
    `<p>${'The old red car of my aunt stands there. '.repeat(times)}</p>`;
  const started = performance.now();
  expect(phrasesOf('en', 'Old cars', page(5000)).length).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(5000);
});
