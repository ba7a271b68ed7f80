import { canTransliterate, latinForms, unifyRomanisation } from './toLatin.ts';

describe('words in addresses', () => {
  test.each([
    ['German umlauts in both spellings', 'de', 'händler', ['handler', 'haendler']],
    ['sharp s', 'de', 'straße', ['strasse']],
    ['French accents', 'fr', 'véhicule', ['vehicule']],
    ['Polish l', 'pl', 'łódź', ['lodz']],
    ['Russian letters', 'ru', 'машина', ['mashina']],
    ['й and ё are letters of their own', 'ru', 'йёлка', ['yelka']],
    ['Greek letters with accents', 'el', 'αυτοκίνητο', ['aytokinito']],
  ])('%s', (_title, language, form, expected) => {
    expect(latinForms(form, language)).toEqual(expect.arrayContaining([form, ...expected]));
  });

  test('romanisations of the same word meet', () => {
    expect(unifyRomanisation('khoroshij')).toBe(unifyRomanisation('horoshiy'));
  });

  test('only known scripts are claimed', () => {
    expect(canTransliterate('машина auto αυτο')).toBe(true);
    expect(canTransliterate('車')).toBe(false);
  });
});
