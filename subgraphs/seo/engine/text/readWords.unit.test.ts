import { readWords } from './readWords.ts';

function forms(text: string, language = 'en'): string[] {
  return readWords(text, language).map((word) => word.form);
}

describe('words', () => {
  test.each([
    ['apostrophes join letters', "don't l’auto", ["don't", "l'auto"]],
    ['an apostrophe at the end does not belong to the word', "cars' 'quoted'", ['cars', 'quoted']],
    [
      'a point or comma joins digits only',
      '3.5 1,000 end.Next a,b',
      ['3.5', '1,000', 'end', 'next', 'a', 'b'],
    ],
    ['a hyphen separates', 'e-bike 320d-Touring', ['e', 'bike', '320d', 'touring']],
    ['accents stay, composed or not', 'café cafe\u0301', ['café', 'café']],
    ['soft hyphens and zero-width spaces vanish from the form', 'sports\u00adcar', ['sportscar']],
    ['compatibility letters are unified', 'ＡＢＣ ﬁn m²', ['abc', 'fin', 'm2']],
    ['emoji are no words', '😀 👩‍👩‍👧 ok', ['ok']],
    ['the middle dot joins in Catalan', 'col·lecció', ['col·lecció']],
  ])('%s', (_title, text, expected) => {
    expect(forms(text)).toEqual(expected);
  });

  test('Turkish capitals keep their dots', () => {
    expect(forms('IŞIK İzmir', 'tr')).toEqual(['ışık', 'izmir']);
  });

  test('languages without spaces are cut by dictionary', () => {
    expect(forms('中古車を買う', 'ja')).toEqual(['中古車', 'を', '買う']);
    expect(forms('ภาษาไทย', 'th')).toEqual(['ภาษา', 'ไทย']);
  });

  test('offsets cover the word in the text', () => {
    const text = 'a  don’t 3.5!';
    expect(readWords(text, 'en').map(({ start, end }) => text.slice(start, end))).toEqual([
      'a',
      'don’t',
      '3.5',
    ]);
  });
});
