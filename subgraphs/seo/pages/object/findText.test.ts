import { product } from '../../../../test/support/product.ts';
import { isRefused, type Refusal } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import type { Ask, QuestionVariables } from '../../../platform/context/AskSubgraph.ts';
import { askTexts, type TextInLanguage } from '../../../platform/federation/askTexts.ts';
import { newId } from '../../../platform/ids/newId.ts';

/** Answer of the translation subgraph about every object; undefined: it does not answer the field. */
let text: TextInLanguage | null | undefined;
let isDown = false;
let asked: QuestionVariables[] = [];

const answerTexts: Ask = async (variables) => {
  asked.push(variables);
  if (isDown) throw new Error('The translation subgraph is down.');
  const textIn = text === undefined ? null : { available: ['en', 'fr'], text };
  return { _entities: variables.representations.map(() => ({ textIn })) };
};
const { market } = product({ answers: new Map([[askTexts.document, answerTexts]]) });
let anna: SeededUser;
let ben: SeededUser;
beforeAll(async () => {
  [anna, ben] = [await market.seller(), await market.seller()];
});
beforeEach(() => {
  asked = [];
  text = null;
  isDown = false;
});

const five = { description: 'One two three four five.' };
const ownListing = async () => (await anna.listing(five)).id;
/** Answers the number of words that are analysed, or the code of the refusal; undefined if it has none. */
async function outcome(id: string, locale: string | null): Promise<unknown> {
  const answer: unknown = await anna.seoAnalyze({ object: { type: 'LISTING', id }, locale });
  return isRefused(answer)
    ? (answer as Refusal).problem?.code
    : (answer as { metrics: { words: number } }).metrics.words;
}
const linkedTo = (holderId: string): TextInLanguage => ({
  holderId,
  textId: null,
  version: 0,
  live: true,
  draft: false,
  url: null,
  words: null,
});

test('a text in the language of its object needs no answer of the translation subgraph', async () => {
  isDown = true;
  const id = await ownListing();
  expect([await outcome(id, null), await outcome(id, 'en')]).toEqual([5, 5]);
  expect(asked).toEqual([]);
});

test('an analysis in another language fails while the translation subgraph does not answer', async () => {
  const id = await ownListing();
  isDown = true;
  expect(await outcome(id, 'fr')).toBeUndefined();
  isDown = false;
  text = undefined;
  expect(await outcome(id, 'fr')).toBe('unavailable');
  text = null;
  expect(await outcome(id, 'fr')).toBe('seo_no_content_in_language');
});

test('a language may be another name of the language of the object', async () => {
  const id = await ownListing();
  text = linkedTo(id);
  expect(await outcome(id, 'en-GB')).toBe(5);
});

test('a linked text is analysed only if its owner shows it and it is published', async () => {
  const id = await ownListing();
  const published = linkedTo((await ben.listing({ ...five, published: true })).id);
  const translated = { ...published, textId: 'trn_x/work', words: { description: 'Un deux trois.' } };
  const rows: [TextInLanguage, unknown][] = [
    [published, 5],
    [linkedTo((await ben.listing(five)).id), 'seo_no_content_in_language'],
    [linkedTo(newId('listing')), 'seo_no_content_in_language'],
    [{ ...translated, live: false, draft: true }, 'seo_no_content_in_language'],
    [{ ...translated, draft: true }, 'seo_no_content_in_language'],
    [translated, 3],
  ];
  for (const [linked, expected] of rows) {
    text = linked;
    expect([linked, await outcome(id, 'fr')]).toEqual([linked, expected]);
  }
});

test('texts of concurrent analyses are asked for by one question', async () => {
  const ids = [await ownListing(), await ownListing(), await ownListing()];
  text = linkedTo((await ben.listing({ ...five, published: true })).id);
  const fields = ids.map(
    (id, index) =>
      `a${index}: seoAnalyze(input: { object: { type: LISTING, id: "${id}" }, locale: "fr" }) { inputHash }`,
  );
  const { body } = await anna.rest('POST', '/graphql', { body: { query: `{ ${fields.join(' ')} }` } });
  expect(body.errors).toBeUndefined();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ language: 'fr', words: true });
  expect(asked[0]?.representations.map(({ id }) => id)).toEqual(ids);
});
