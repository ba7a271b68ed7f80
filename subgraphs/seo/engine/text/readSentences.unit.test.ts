import { readDocument } from '../html/readDocument.ts';
import { findLanguage } from '../language/findLanguage.ts';
import { readSentences } from './readSentences.ts';
import { readWords } from './readWords.ts';

function sentences(html: string, language = 'en'): string[] {
  const { text, blocks } = readDocument(html);
  const words = readWords(text, language);
  return readSentences(text, blocks, words, findLanguage(language), language).map(({ start, end }) =>
    text.slice(start, end),
  );
}

describe('sentences', () => {
  // A bar stands where a sentence ends.
  test.each([
    ['end at full stops, question and exclamation marks', 'en', 'One. | Two? | Three!'],
    ['do not end at titles and Latin abbreviations', 'en', 'Dr. Smith drove, e.g. Fords. | Done.'],
    ['do not end at initials', 'en', 'J. R. Hartley wrote it. | Yes.'],
    ['end after the pronoun I', 'en', 'So do I. | We agree.'],
    ['do not end at decimals or before lower case', 'en', 'It costs 3.5 million. ok so far.'],
    ['do not end at a numbered abbreviation', 'en', 'See No. 5 there. | He said no. | Then left.'],
    ['do not end at German ordinals', 'de', 'Am 3. Mai kam er. | Er war 25. | Dann ging er.'],
    ['do not end inside German abbreviations', 'de', 'Das ist z. B. Diesel. | Gut.'],
    ['end at ideographic stops', 'ja', '車です。|速い！'],
    ['end with the Greek question mark', 'el', 'Τι είναι αυτό; | Ένα αυτοκίνητο.'],
  ])('%s', (_title, language, text) => {
    const expected = text.split('|').map((sentence) => sentence.trim());
    expect(sentences(`<p>${text.replace(/ ?\|/g, '')}</p>`, language)).toEqual(expected);
  });

  test('never cross a block or a line break', () => {
    expect(sentences('<h2>Title</h2><p>One<br>two</p><ul><li>a<li>b</ul>')).toEqual([
      'Title',
      'One',
      'two',
      'a',
      'b',
    ]);
  });

  test('need a word: dashes and dots alone are none', () => {
    expect(sentences('<p>One. … — *** </p><p>...</p>')).toEqual(['One.']);
  });

  test('know their block and their words', () => {
    const { text, blocks } = readDocument('<p>One two. Three four.</p><p>Five.</p>');
    const words = readWords(text, 'en');
    const found = readSentences(text, blocks, words, findLanguage('en'), 'en');
    expect(found.map(({ block, firstWord, endWord }) => [block, firstWord, endWord])).toEqual([
      [0, 0, 2],
      [0, 2, 4],
      [1, 4, 5],
    ]);
  });
});
