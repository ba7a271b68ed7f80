import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import type { AskTexts, TextInLanguage } from '../../platform/federation/askTexts.ts';
import { newId } from '../../platform/ids/newId.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;
/** What the translation subgraph says of every object; null: it does not answer the field. */
let told: TextInLanguage | null | undefined;
let isDown = false;
let asked: Parameters<AskTexts>[0][] = [];

beforeAll(async () => {
  const askTexts: AskTexts = async (variables) => {
    asked.push(variables);
    if (isDown) throw new Error('The translation subgraph is down.');
    const textIn = told === undefined ? null : { available: ['en', 'fr'], text: told };
    return { _entities: variables.representations.map(() => ({ textIn })) };
  };
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner, askTexts });
  seller = await stack.signIn({ roles: ['seller'] });
});
beforeEach(() => {
  asked = [];
  told = null;
  isDown = false;
});
afterAll(() => stack.close());

function listing(options: { ownerId?: string; visibility?: 'PUBLIC' | 'PRIVATE' } = {}): string {
  const id = newId('listing');
  neighbour.put({
    type: 'Listing',
    id,
    installationId: stack.demo.id,
    ownerId: options.ownerId ?? seller.id,
    contentVersion: 1,
    content: {
      languageTag: 'en',
      visibility: options.visibility ?? 'PUBLIC',
      url: `https://cars.example/l/${id}`,
      slug: id.toLowerCase(),
      title: 'Good car',
      html: '<p>One two three four five.</p>',
      fields: {},
    },
  });
  return id;
}

const query = 'query ($input: SeoAnalysisInput!) { seoAnalyze(input: $input) { metrics { words } } }';
const analyse = (id: string, locale?: string) =>
  stack.execute(query, { input: { object: { type: 'LISTING', id }, locale } }, { as: seller });
/** Words, or the code of the refusal. */
async function outcome(id: string, locale?: string): Promise<unknown> {
  const result = await analyse(id, locale);
  return result.errors ? problemOf(result).code : result.data?.seoAnalyze.metrics.words;
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

test('an object in its own language needs nobody but its owner', async () => {
  isDown = true;
  const id = listing();
  expect([await outcome(id), await outcome(id, 'en')]).toEqual([5, 5]);
  expect(asked).toEqual([]);
});

test('whether there is a text is not guessed while the translation subgraph is down, or does not say', async () => {
  const id = listing();
  isDown = true;
  expect((await analyse(id, 'fr')).errors).toHaveLength(1);
  isDown = false;
  told = undefined;
  expect(await outcome(id, 'fr')).toBe('unavailable');
  told = null;
  expect(await outcome(id, 'fr')).toBe('seo_no_content_in_language');
});

test('the language that is asked for may be another name of the object’s own', async () => {
  const id = listing();
  told = linkedTo(id);
  expect(await outcome(id, 'en-GB')).toBe(5);
});

test('the owner of the text decides at that moment: what he hides is not there, whatever was told of it', async () => {
  const stranger = newId('user');
  told = linkedTo(listing({ ownerId: stranger }));
  expect(await outcome(listing(), 'fr')).toBe(5);
  told = linkedTo(listing({ ownerId: stranger, visibility: 'PRIVATE' }));
  expect(await outcome(listing(), 'fr')).toBe('seo_no_content_in_language');
  told = linkedTo(newId('listing'));
  expect(await outcome(listing(), 'fr')).toBe('seo_no_content_in_language');
  const worked = { ...linkedTo(listing({ ownerId: stranger })), textId: 'trn_x/work', words: {} };
  for (const state of [
    { live: false, draft: true },
    { live: true, draft: true },
  ]) {
    told = { ...worked, ...state };
    expect(await outcome(listing(), 'fr')).toBe('seo_no_content_in_language');
  }
  told = worked;
  expect(await outcome(listing(), 'fr')).toBe(5);
});

test('texts of one tick are one question, and their words are fetched only where they are read', async () => {
  const ids = [listing(), listing(), listing()];
  told = linkedTo(listing());
  const fields = ids.map(
    (id, index) =>
      `a${index}: seoAnalyze(input: { object: { type: LISTING, id: "${id}" }, locale: "fr" }) { inputHash }`,
  );
  expect((await stack.execute(`{ ${fields.join(' ')} }`, {}, { as: seller })).errors).toBeUndefined();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ language: 'fr', words: true });
  expect(asked[0]?.representations.map(({ id }) => id)).toEqual(ids);
});
