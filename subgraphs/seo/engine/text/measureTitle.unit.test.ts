import { measureTitle } from './measureTitle.ts';

describe('the width of a title at 20 px', () => {
  test.each([
    ['a title of known width', 'Used BMW 320d Touring 2019 for sale in Munich | AutoHaus', 541],
    ['nothing', '', 0],
    ['a digit is 1139 of 2048 units', '0000000000', 111],
    ['an ideograph is one em', '中古車', 60],
    ['kana and full-width letters are one em', 'かなＡ', 60],
    ['Hangul syllables are one em', '한국', 40],
    ['an accented letter is as wide as its base', 'éèêëñ', 56],
    ['a decomposed accent adds nothing', 'e\u0301e\u0300', 22],
    ['a letter of Latin Extended Additional falls back to its base', 'ạ', 11],
    ['zero-width characters and soft hyphens add nothing', 'a\u200d\u200b\u00adb', 22],
    ['whitespace collapses as in a browser', '  a \n\t b ', 28],
    ['Cyrillic has widths of its own', 'Ж', 18],
  ])('%s', (_title, text, pixels) => {
    expect(measureTitle(text)).toBe(pixels);
  });

  test('a letter without an entry still has a width', () => {
    expect(measureTitle('Հայերեն')).toBeGreaterThan(50);
  });
});
