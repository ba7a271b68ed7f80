import { findLanguage, languagesWith } from './findLanguage.ts';

describe('reading ease', () => {
  test('reading ease has a formula with a source for eight languages', () => {
    expect(languagesWith('readingEase')).toEqual(['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'ru']);
  });

  // 15 words a sentence and 1.5 syllables a word, computed manually from the published coefficients.
  test.each([
    ['en', 206.835 - 15.225 - 126.9],
    ['de', 180 - 15 - 87.75],
    ['fr', 207 - 15.225 - 110.4],
    ['es', 206.84 - 90 - 15.3],
    ['it', 217 - 19.5 - 90],
    ['nl', 206.84 - 115.5 - 13.95],
    ['pt', 248.835 - 15.225 - 126.9],
    ['ru', 206.835 - 19.5 - 90.15],
  ])('%s follows its published formula', (language, expected) => {
    expect(findLanguage(language).readingEase?.score(15, 1.5)).toBeCloseTo(expected, 6);
  });

  test.each([
    [
      'en',
      {
        make: 1,
        table: 2,
        walked: 1,
        wanted: 2,
        houses: 2,
        playing: 2,
        idea: 3,
        reliable: 4,
        vehicle: 3,
        the: 1,
      },
    ],
    ['de', { auto: 2, schauen: 2, neue: 2, industrie: 3, spezial: 3, studium: 3, händler: 2, bauen: 2 }],
    ['fr', { voiture: 2, réalité: 4, voyage: 2, client: 2, maison: 2, théâtre: 2 }],
    ['es', { coche: 2, país: 2, teatro: 3, motor: 2, bueno: 2 }],
    ['it', { auto: 2, paese: 3, macchina: 3, noioso: 3 }],
    ['nl', { auto: 2, fiets: 1, geïnd: 2, mooie: 2 }],
    ['pt', { carro: 2, avião: 3, saída: 3, coração: 3 }],
    // A preposition of one consonant is spoken with the next word; вз is an abbreviation.
    ['ru', { машина: 3, дом: 1, её: 2, в: 0, с: 0, к: 0, б: 0, ж: 0, и: 1, о: 1, з: 0, й: 0, вз: 1, ё: 1 }],
  ])('%s: syllables of everyday words', (language, words) => {
    const count = findLanguage(language).readingEase?.countSyllables;
    expect(Object.fromEntries(Object.keys(words).map((word) => [word, count?.(word)]))).toEqual(words);
  });

  test('a word without a vowel still has one syllable', () => {
    for (const language of languagesWith('readingEase')) {
      expect(findLanguage(language).readingEase?.countSyllables('320d')).toBe(1);
    }
  });
});
