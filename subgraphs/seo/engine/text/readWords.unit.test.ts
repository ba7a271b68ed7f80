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

  test.each([
    ['e-mail well-kept e\u2011bike three', 'en', 4],
    ['The U.S. and U.K., e.g. v2.0 or 2.0-litre', 'en', 8],
    ['example.com Node.js', 'en', 2],
    ['z.B. d.h. u. a.', 'de', 4],
    ['Diesel-Motor Vor- und Rückseite', 'de', 4],
    ['т.е. кто-то', 'ru', 2],
    ['בית־ספר טוב', 'he', 2],
    ['It stopped.Next one -- two - three 2019–2020 a/b', 'en', 10],
    ['e-mail ไทย-ไทย', 'th', 2],
  ])('“%s” (%s) counts as so many words: %d', (text, language, expected) => {
    expect(readWords(text, language).filter(({ isPart }) => !isPart)).toHaveLength(expected);
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
