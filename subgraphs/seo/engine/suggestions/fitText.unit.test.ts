import { findLanguage } from '../language/findLanguage.ts';
import { fitCharacters, fitTitle } from './fitText.ts';

test.each([
  [
    'fr',
    'Contrôle technique : les cinq défauts les plus fréquents et comment les éviter avant le rendez-vous',
    'Contrôle technique : les cinq défauts les plus fréquents',
  ],
  [
    'de',
    'Gebrauchtwagen kaufen: Zehn Punkte, die Sie vor der Unterschrift unter den Kaufvertrag prüfen',
    'Gebrauchtwagen kaufen: Zehn Punkte',
  ],
  [
    'en',
    'Harbour Motors opens a second workshop for electric cars in Bristol',
    'Harbour Motors opens a second workshop for electric cars',
  ],
  [
    'es',
    'Auriculares inalámbricos Sony WH-1000XM5 con cancelación de ruido',
    'Auriculares inalámbricos Sony WH-1000XM5',
  ],
  ['en', 'Short title', 'Short title'],
])('a title in %s is cut where a part ends: %s', (language, title, fitted) => {
  expect(fitTitle(title, 580, findLanguage(language))).toBe(fitted);
});

test('a name is not cut in its middle', () => {
  const title = 'Wonderfully restored estate belonging to Johann Sebastian Bach Mendelssohn';
  expect(fitTitle(title, 580, findLanguage('en'))).toBe('Wonderfully restored estate belonging');
});

test('a text that is cut ends with an ellipsis, and not with a function word', () => {
  const text = 'The workshop repairs electric cars and stores tyres for the winter';
  expect(fitCharacters(text, 40, findLanguage('en'))).toBe('The workshop repairs electric cars…');
});

test('a text without spaces that is too long leaves nothing', () => {
  expect(fitCharacters('a'.repeat(500), 40, findLanguage('en'))).toBe('');
});
