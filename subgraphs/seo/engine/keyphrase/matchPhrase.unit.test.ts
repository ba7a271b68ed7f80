import { readDocument } from '../html/readDocument.ts';
import { findLanguage } from '../language/findLanguage.ts';
import { IndexedText } from '../text/IndexedText.ts';
import { containsPhrase, matchPhrase } from './matchPhrase.ts';
import { parsePhrase } from './parsePhrase.ts';
import { countPhraseWords, saysOnly, shortTextReader } from './ShortText.ts';

function read(html: string, language = 'en'): IndexedText {
  const { text, blocks } = readDocument(html);
  return new IndexedText(text, blocks, findLanguage(language), language);
}

function phrase(text: string, language = 'en') {
  const parsed = parsePhrase(text, findLanguage(language), language);
  if (!parsed) throw new Error(`“${text}” has no word`);
  return parsed;
}

function counts(html: string, keyphrase: string, language = 'en'): number[] {
  return matchPhrase(read(html, language), phrase(keyphrase, language)).map((match) => match.count);
}

describe('a keyphrase', () => {
  test('drops function words, unless it has nothing else', () => {
    expect(phrase('the best of cars').stems).toEqual(['best', 'car']);
    expect(phrase('to be or not to be')).toMatchObject({
      onlyFunctionWords: true,
      stems: ['to', 'be', 'or', 'not'],
    });
  });

  test('a keyphrase keeps all words of a language without a function-word list', () => {
    expect(phrase('a of b', 'xx')).toMatchObject({ onlyFunctionWords: false, stems: ['a', 'of', 'b'] });
  });

  test.each(['"used cars"', '“used cars”', '„used cars“', ' «used cars» '])(
    'in quotes (%s) is exact',
    (text) => {
      expect(phrase(text)).toMatchObject({ exact: true, text: 'used cars', forms: ['used', 'cars'] });
    },
  );

  test('without a word is none', () => {
    expect(parsePhrase(' … ', findLanguage('en'), 'en')).toBeNull();
  });
});

describe('matching', () => {
  test.each([
    ['other forms, in any order', '<p>Cars that dealers have used.</p>', 'used car dealer', [1]],
    ['as often as the rarest word', '<p>Used cars, used car, used.</p>', 'used car', [2]],
    ['never across sentences', '<p>Used things. Cars here.</p>', 'used car', [0, 0]],
    ['across inline tags', '<p>us<b>ed</b> <i>ca</i>rs</p>', 'used car', [1]],
    ['typographic apostrophes and dashes', '<p>The dealer’s e‑bike</p>', "dealer's e-bike", [1]],
    ['compatibility letters', '<p>ＢＭＷ ３２０ｄ</p>', 'BMW 320d', [1]],
  ])('finds %s', (_title, html, keyphrase, expected) => {
    expect(counts(html, keyphrase)).toEqual(expected);
  });

  test('an exact phrase needs its forms side by side', () => {
    expect(counts('<p>Used cars. Cars used. Used car. Used old cars.</p>', '"used cars"')).toEqual([1]);
    expect(counts('<p>a a a a a</p>', '"a a"')).toEqual([2]);
  });

  test('elided articles do not hide a word', () => {
    expect(counts('<p>L’auto d’occasion.</p>', "auto d'occasion", 'fr')).toEqual([1]);
  });

  test('Japanese is matched by dictionary words', () => {
    expect(counts('<p>中古車を買う。車です。</p>', '中古車', 'ja')).toEqual([1]);
  });

  test('contains looks at the whole text', () => {
    expect(containsPhrase(read('<p>Used.</p><p>Cars.</p>'), phrase('used car'))).toBe(true);
    expect(containsPhrase(read('<p>Used.</p><p>Cars.</p>'), phrase('"used cars"'))).toBe(false);
  });
});

describe('short texts', () => {
  const short = shortTextReader(findLanguage('en'), 'en');

  test('count the words of a phrase they have', () => {
    expect(countPhraseWords(short('Dealers of used things'), phrase('used car dealer'))).toBe(2);
    expect(countPhraseWords(short('Car used'), phrase('"used car"'))).toBe(0);
  });

  test('say only the phrase when no other content word is there', () => {
    expect(saysOnly(short('the used cars'), phrase('used car'))).toBe(true);
    expect(saysOnly(short('cheap used cars'), phrase('used car'))).toBe(false);
    expect(saysOnly(short('the used car'), phrase('"used car"'))).toBe(false);
  });
});
