import { openDesk } from '../../subgraphs/translation/fixture/openDesk.ts';
import { product } from '../support/product.ts';
import type { Caller } from '../support/seed.ts';

const world = product();
const { market } = world;
const { people, car, translate, readAgain, run } = openDesk(
  world,
  ['en', 'de', 'fr', 'he', 'pt-br'].map((code) => ({ code })),
);
const root = '/api/rest/translation/v1';
const call = (method: string, path: string, body?: object, as: Caller = people.editor) =>
  as.rest(method, `${root}${path}`, { ...(body && { body }) });
const create = async (language: string, id?: string) =>
  call('POST', '/translations', { source: { type: 'listing', id: id ?? (await car()) }, language });

test('a request with two different selectors is refused and changes no translation', async () => {
  const [one, other] = [await translate(await car()), await translate(await car())];
  const body = { id: other.id, status: 'archived' };
  expect(await call('PATCH', `/translations?id=${one.id}`, body)).toBeRefused(400);
  const twice = `/translations?id=${one.id}&id=${other.id}`;
  expect(await call('PATCH', twice, { status: 'archived' })).toBeRefused(400);
  for (const { id } of [one, other]) expect((await readAgain(id)).status).toBe('DRAFT');
});

test.each(['scope=ALL', 'scope=all&scope=active', 'display=f%20r', 'lang=fr'])(
  'the list of languages refuses ?%s',
  async (query) => {
    expect(await call('GET', `/languages?${query}`)).toBeRefused(400);
  },
);

test.each([
  ['PT-br', 'pt-br'],
  ['pt_BR', 'pt-br'],
  ['iw', 'he'],
])('a translation into %s is stored as %s', async (language, expected) => {
  expect((await create(language)).body.language).toBe(expected);
});

test.each(['in', 'mo', 'sh', 'x-pirate', 'und'])(
  'a translation into the unconfigured language %s is refused',
  async (language) => {
    expect(await create(language)).toBeRefused(422, 'language_not_configured');
  },
);

test('a visitor reads no text or link of a draft', async () => {
  const id = await car();
  await translate(id);
  await run('identity.relay', 'translation.object-heads');
  const query = `query ($id: ID!) { catalogListing(listingId: $id) {
    alternates { href } translation(language: "fr") { matchedCode translation { languageCode fields { title } } } } }`;
  const { body } = await market.visitor.rest('POST', '/graphql', { body: { query, variables: { id } } });
  const translation = { matchedCode: 'en', translation: { languageCode: 'en', fields: null } };
  expect(body).toEqual({ data: { catalogListing: { alternates: [], translation } } });
});

test('of two concurrent POSTs one creates the translation and the other one is refused with its id', async () => {
  const id = await car();
  const answers = await Promise.all([create('fr', id), create('fr', id)]);
  const [made, refused] = answers.sort((a, b) => a.status - b.status);
  expect(made?.status).toBe(201);
  expect(refused).toBeRefused(409, 'translation_exists', { conflict: { id: made?.body.id } });
});
