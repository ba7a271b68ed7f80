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

/** The parts between the bars of a text, where sentences are expected to end. */
function partsOf(text: string): string[] {
  return text.split('|').map((sentence) => sentence.trim());
}

/** The sentences of a text without its bars. */
function sentencesOf(text: string, language: string): string[] {
  return sentences(`<p>${text.replace(/ ?\|/g, '')}</p>`, language);
}

describe('sentences', () => {
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
    expect(sentencesOf(text, language)).toEqual(partsOf(text));
  });

  test.each([
    ['a number', 'en', 'The car was well kept. | 120 hp are enough. | 5 doors make loading easy.'],
    ['an amount', 'en', 'It is new. | €5,000 is the price. | (3 owners so far.)'],
    ['a number after a quotation', 'en', 'He said “fine.” | 120 cars were sold.'],
    ['a number after a unit', 'en', 'It weighs 900 kg. | 5 doors are enough. | It has GPS. | 3 cars follow.'],
    ['a number after a number', 'de', 'Er war 25. | 3 Autos hatte er.'],
    ['Arabic digits', 'ar', 'السيارة جديدة. | ٣ أبواب فقط.'],
    ['a number in a language without a list', 'sv', 'Bilen är ny. | 5 dörrar räcker.'],
  ])('begin with %s', (_title, language, text) => {
    expect(sentencesOf(text, language)).toEqual(partsOf(text));
  });

  test.each([
    ['en', 'It comes in approx. 3 weeks.'],
    ['en', 'See No. 5 there.'],
    ['en', 'It came on 5. Mai with us.'],
    ['en', 'It lasted from 100... 120 days.'],
    ['de', 'Das sind z. B. 3 Autos.'],
    ['de', 'Er kam am 3. 4. 2024 an.'],
    ['de', 'Er kam am 3.4. 2024 an.'],
    ['de', 'Das steht auf S. 12 oben.'],
    ['de', 'Es war um 44 v. Chr. 3 Tage lang so.'],
    ['de', 'Der Wagen, Bj. 2019 und Mod. 2020, ist alt.'],
    ['nl', 'De auto, bj. 2019 en ref. 5 erbij, is oud.'],
    ['es', 'El coche, mod. 2019 y ref. 5, es nuevo.'],
    ['hu', 'Ez kb. 3 hétig tart.'],
    ['uk', 'Це триває прибл. 3 тижні.'],
    ['fr', 'Voir la fig. 3 du texte.'],
    ['pl', 'To trwa ok. 3 tygodnie.'],
    ['ru', 'См. рис. 5 внизу.'],
    ['cs', 'Přijel 3. 4. 2024 domů.'],
    ['hu', 'Ez 2024. 4. 3. napja volt.'],
    ['sv', 'Det tar ca. 3 veckor och nr. 5 max. 2 dagar.'],
  ])('%s: do not begin with the number in “%s”', (language, text) => {
    expect(sentences(`<p>${text}</p>`, language)).toEqual([text]);
  });

  test.each([
    ['pt', 'A língua é portuguesa.[32] | Com mais.'],
    ['en', 'It was sold.[1][2] | Then it left.'],
    ['en', 'Was it sold?[note 3] | Yes.'],
    ['en', 'It was sold.[citation needed] | 120 cars followed.'],
    ['en', 'It was sold.³² | Then it left.'],
    ['en', 'He said “sold.”[5] | Then he left.'],
    ['ja', '車です。[3]|速い！'],
  ])('%s: keep a footnote mark with the sentence before it in “%s”', (language, text) => {
    expect(sentencesOf(text, language)).toEqual(partsOf(text));
  });

  test.each([
    ['en', 'The U.S. Army bought the U.K. Ford. | The car left the U.S. | It is here.'],
    ['en', 'It opens at 5 p.m. Monday. | It closes at 8 p.m. | The car stays.'],
    ['en', 'It is 5 ft. | The car is longer than 12 ft. 3 in. by far.'],
    ['en', 'He bought Class A. | The car is new.'],
    ['es', 'Los EE. UU. Ford vende aquí. | Vive en EE. UU. | El coche es nuevo.'],
    ['es', 'Es del s. XIX y de los RR. HH. Ford. | El coche es nuevo.'],
    ['ca', 'És del s. XIX i nou.'],
    ['pt', 'É do séc. XIX e novo. | O carro custa 5 mil.'],
    ['it', 'È del sec. XIX e nuovo.'],
    ['fr', 'Il ouvre à 5 h. | Le prix est de 3 m. | Il part.'],
    ['fr', 'M. Dupont et Mme. Le Brun arrivent.'],
    [
      'de',
      'Er wiegt 100 g. | Der Preis beträgt 3 Mio. Euro. | Das sind 5 Mio. | Die Autos, u. a. Der Käfer, sind alt.',
    ],
    ['nl', 'Het weegt 5 g. | De auto is van o.a. Ford.'],
    ['it', 'Pesa 5 g. | Il prezzo è alto.'],
    ['pl', 'Waży 5 g. | To auto itd. | On jest tu, m. in. Ford.'],
    ['ru', 'Он весит 5 г. | Он стоит и т. д. | Она тут, т. е. Форд.'],
  ])('%s: abbreviations end a sentence only where one does in “%s”', (language, text) => {
    expect(sentencesOf(text, language)).toEqual(partsOf(text));
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
