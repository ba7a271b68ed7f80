import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, type SeededInstallation, type SeededListing, seed } from '../support/seed.ts';

let app: TestApp;
let shop: SeededInstallation;
let dealer: SeededDealer;
let listing: SeededListing;

beforeAll(async () => {
  app = await openTestApp();
  await createLanguageSettings(app.stack.demo, { languages: [{ code: 'en' }, { code: 'fr' }] });
  shop = await seed(app.stack).in(app.stack.demo);
  dealer = await shop.dealer();
  listing = await dealer.listing({ published: true });
}, 60_000);
afterAll(() => app.close());

const ask = async (query: string, variables: object, token: string): Promise<string> => {
  const { json } = await app.send({ method: 'POST', path: '/graphql', token, body: { query, variables } });
  return json.errors?.[0]?.extensions.problem?.code ?? (json.errors ? JSON.stringify(json) : 'answered');
};
const object = () => ({ type: 'LISTING', id: listing.id });
/** What a member does with a listing in the three interfaces, as variables and documents. */
const writes = (): [string, string, object][] => [
  [
    'its content',
    'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }',
    { input: { listingId: listing.id, description: `Changed at ${Date.now()}` } },
  ],
  [
    'its search fields',
    'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id } } }',
    { input: { object: object(), keyphrase: `skoda ${Date.now()}` } },
  ],
  [
    'its analysis',
    'mutation ($input: SeoRefreshInput!) { seoRefresh(input: $input) { current { id } } }',
    { input: { object: object() } },
  ],
];
const reads: [string, string][] = [
  ['the listing', 'query ($id: ID!) { listing(listingId: $id) { title } }'],
  [
    'its search fields',
    'query ($id: ID!) { seoRecord(object: { type: LISTING, id: $id }) { keyphrase latestAnalysis { id } } }',
  ],
  [
    'its translations',
    'query ($id: ID!) { listing(listingId: $id) { relationGroup { id } translations(view: EDITORIAL) { id } } }',
  ],
];
const translate = (language: string, token: string) =>
  ask(
    'mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { id } } }',
    { input: { source: object(), language, fields: { title: 'Voiture' } } },
    token,
  );

test('members of a suspended dealer read what is theirs in all three interfaces, and write in none', async () => {
  const { token } = dealer.owner;
  const editor = await shop.staff('editor');
  const moderator = await shop.staff('moderator');
  for (const [, query, variables] of writes()) expect(await ask(query, variables, token)).toBe('answered');
  const suspend = 'mutation ($input: SuspendDealerInput!) { suspendDealer(input: $input) { dealer { id } } }';
  expect(await ask(suspend, { input: { dealerId: dealer.id, reason: 'x' } }, moderator.token)).toBe(
    'answered',
  );
  for (const [what, query, variables] of writes())
    expect([what, await ask(query, variables, token)]).toEqual([what, 'dealer_not_active']);
  expect(await translate('fr', token)).toBe('dealer_not_active');
  expect(await translate('fr', editor.token)).toBe('answered');
  for (const [what, query] of reads)
    expect([what, await ask(query, { id: listing.id }, token)]).toEqual([what, 'answered']);
  const catalogue = await app.send({ method: 'GET', path: `/api/v1/catalog/listings/${listing.id}` });
  expect([catalogue.status, catalogue.json.code]).toEqual([404, 'not_found']);
  const reinstate =
    'mutation ($input: ReinstateDealerInput!) { reinstateDealer(input: $input) { dealer { id } } }';
  expect(await ask(reinstate, { input: { dealerId: dealer.id } }, moderator.token)).toBe('answered');
  for (const [, query, variables] of writes()) expect(await ask(query, variables, token)).toBe('answered');
  expect((await app.send({ method: 'GET', path: `/api/v1/catalog/listings/${listing.id}` })).status).toBe(
    200,
  );
}, 60_000);
