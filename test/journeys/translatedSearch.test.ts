import { RelayCursorModel } from '../../subgraphs/platform/events/model.ts';
import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { commandsOf } from '../support/commandsOf.ts';
import { indexesOf } from '../support/indexesOf.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededUser,
  seed,
  unique,
} from '../support/seed.ts';

let app: TestApp;
let shop: SeededInstallation;
let garage: SeededDealer;
let editor: SeededUser;
let administrator: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  await createLanguageSettings(app.stack.demo, {
    languages: [
      { code: 'en' },
      { code: 'de' },
      { code: 'fr' },
      { code: 'lb', fallbacks: ['fr'] },
      { code: 'it', active: false },
    ],
  });
  shop = await seed(app.stack).in(app.stack.demo);
  garage = await shop.dealer();
  editor = await shop.staff('editor');
  administrator = await shop.staff('installation_admin');
});
afterAll(() => app.close());

const rest = async (method: string, path: string, body: object | null, status: number) => {
  const answer = await app.send({
    method,
    path: `/api/rest/translation/v1/${path}`,
    token: editor.token,
    ...(body && { body }),
  });
  expect(answer).toMatchObject({ status });
  return answer.json;
};
const object = (id: string) => ({ type: 'listing', id });

/** What the subgraphs have to tell is told, and kept by those whose business it is. */
async function settle(...jobs: string[]): Promise<void> {
  const all = ['identity.relay', 'translation.object-heads', 'translation.relay', 'identity.catalog-texts'];
  for (const job of jobs.length > 0 ? jobs : all) await app.stack.runJob(job);
}

/** A word that nobody else uses, with letters that every stemmer leaves alone. */
const word = () => unique('x').replaceAll(/[^a-z0-9]/gi, '');

async function translate(id: string, title: string, options: object = {}): Promise<string> {
  const fields = { title, description: 'Roule très bien, un seul propriétaire.' };
  const body = { source: object(id), language: 'fr', status: 'published', fields, ...options };
  return (await rest('POST', 'translations', body, 201)).id;
}

interface Found {
  ids: string[];
  count: string;
  total: number;
}

/** By REST and by GraphQL, with the facets: they have to agree. */
async function search(q: string, locale?: string): Promise<string[]> {
  const query = new URLSearchParams({ q, count: 'true', ...(locale && { locale }) });
  const listings = await app.send({ path: `/api/v1/catalog/listings?${query}` });
  expect(listings.status).toBe(200);
  query.delete('count');
  const facets = await app.send({ path: `/api/v1/catalog/facets?${query}&facets=condition` });
  expect(facets.status).toBe(200);
  const byRest: Found = {
    ids: listings.json.data.map(({ id }: { id: string }) => id),
    count: listings.json.meta.totalCount,
    total: facets.json.total,
  };
  const { json } = await app.send({
    method: 'POST',
    path: '/graphql',
    body: {
      query: `query ($q: String, $locale: LanguageTag) {
        catalogListings(q: $q, locale: $locale, count: true) { nodes { id } totalCount }
        catalogFacets(q: $q, locale: $locale, facets: ["condition"]) { total }
      }`,
      variables: { q, locale },
    },
  });
  const { catalogListings, catalogFacets } = json.data;
  const byGraphql: Found = {
    ids: catalogListings.nodes.map(({ id }: { id: string }) => id),
    count: catalogListings.totalCount,
    total: catalogFacets.total,
  };
  expect(byRest).toEqual(byGraphql);
  expect([byRest.count, byRest.total]).toEqual([String(byRest.ids.length), byRest.ids.length]);
  return byRest.ids;
}

test('a listing is found by the words that its reader is shown, and without a language by its owner’s alone', async () => {
  const [own, french] = [word(), word()];
  const { id } = await garage.listing({ published: true, title: `Good ${own}` });
  await translate(id, `Bonne ${french}`);
  await settle();
  expect(await search(french, 'fr')).toEqual([id]);
  expect(await search(french, 'fr-CA')).toEqual([id]);
  // The owner's word is in both, where the two agree.
  expect(await search(own, 'fr')).toEqual([id]);
  expect(await search(own)).toEqual([id]);
  for (const locale of [undefined, 'en', 'de']) expect(await search(french, locale)).toEqual([]);
});

test('whoever reads in a language that another one stands in for finds the words of that one', async () => {
  const french = word();
  const { id } = await garage.listing({ published: true });
  await translate(id, `Bonne ${french}`);
  await settle();
  expect(await search(french, 'lb')).toEqual([id]);
});

test('words are compared in the language of the text', async () => {
  const own = word();
  const { id } = await garage.listing({ published: true, title: `Good ${own}` });
  await translate(id, `${own} avec réparations récentes`);
  await settle();
  expect(await search('reparation', 'fr')).toContain(id);
});

test('a title says more than a description, whichever text it is of', async () => {
  const french = word();
  const inText = await garage.listing({ published: true });
  const inTitle = await garage.listing({ published: true });
  await translate(inTitle.id, `Bonne ${french}`);
  await translate(inText.id, 'Bonne voiture', {
    fields: { title: 'Bonne voiture', description: `Roule bien, ${french}.` },
  });
  await settle();
  expect(await search(french, 'fr')).toEqual([inTitle.id, inText.id]);
});

test('a text that is taken down is found no more, and again when it is published', async () => {
  const french = word();
  const { id } = await garage.listing({ published: true });
  const translation = await translate(id, `Bonne ${french}`);
  await settle();
  expect(await search(french, 'fr')).toEqual([id]);
  await rest('PATCH', `translations?id=${translation}`, { status: 'draft' }, 200);
  await settle();
  expect(await search(french, 'fr')).toEqual([]);
  await rest('PATCH', `translations?id=${translation}`, { status: 'published' }, 200);
  await settle();
  expect(await search(french, 'fr')).toEqual([id]);
});

test('a text is found with every listing that shows it, while what it was written for is public', async () => {
  const [german, french] = [word(), word()];
  const { id } = await garage.listing({ published: true });
  await translate(id, `Bonne ${french}`);
  const other = await garage.listing({ published: true, language: 'de', title: `Gutes ${german}` });
  await rest('POST', 'relations', { object: object(other.id), relatedTo: object(id) }, 201);
  await settle();
  const both = [id, other.id].sort();
  expect((await search(french, 'fr')).sort()).toEqual(both);
  // It has its own words and its own place.
  expect(await search(german, 'de')).toEqual([other.id]);
  const set = (state: 'pause' | 'publish') =>
    app.send({ method: 'POST', path: `/api/v1/listings/${id}/${state}`, token: garage.owner.token });
  expect((await set('pause')).status).toBe(200);
  await settle();
  expect(await search(french, 'fr')).toEqual([]);
  expect((await set('publish')).status).toBe(200);
  await settle();
  expect((await search(french, 'fr')).sort()).toEqual(both);
  await rest('DELETE', `relations?objectType=listing&objectId=${other.id}`, null, 200);
  await settle();
  expect(await search(french, 'fr')).toEqual([id]);
});

test('a listing that was away keeps the words it had in other languages', async () => {
  const french = word();
  const { id } = await garage.listing({ published: true });
  await translate(id, `Bonne ${french}`);
  await settle();
  for (const [act, found] of [
    ['pause', []],
    ['publish', [id]],
  ] as const) {
    const path = `/api/v1/listings/${id}/${act}`;
    expect((await app.send({ method: 'POST', path, token: garage.owner.token })).status).toBe(200);
    await settle();
    expect(await search(french, 'fr')).toEqual(found);
  }
});

test('nobody finds words of a language that readers do not get yet; from then on they do', async () => {
  const italian = word();
  const { id } = await garage.listing({ published: true });
  await translate(id, `Bella ${italian}`, { language: 'it' });
  await settle();
  expect(await search(italian, 'it')).toEqual([]);
  const { json } = await app.send({
    method: 'POST',
    path: '/graphql',
    token: administrator.token,
    body: {
      query: `mutation ($input: SetLanguageActiveInput!) { setLanguageActive(input: $input) { __typename } }`,
      variables: { input: { code: 'it', active: true } },
    },
  });
  expect(json.errors).toBeUndefined();
  await settle();
  expect(await search(italian, 'it')).toEqual([id]);
});

test('a language costs a search one command, and none without words', async () => {
  const cost = async (query: string) =>
    (await commandsOf(() => app.send({ path: `/api/v1/catalog/facets?facets=condition&${query}` }))).length;
  await cost('q=ford');
  const without = await cost('q=ford');
  expect(await cost('q=ford&locale=fr')).toBe(without + 1);
  expect(await cost('locale=fr')).toBe(await cost('withImages=false'));
});

test('whatever keeps the texts reads them through an index', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id, `Bonne ${word()}`);
  await settle('identity.relay', 'translation.relay');
  const plans = await indexesOf(() => settle('identity.catalog-texts'));
  const own = plans.filter(({ command }) => /catalog_(?:texts|listings)/.test(command));
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

// Last: it leaves the cursor to a later holder.
test('what is published while the catalogue’s keeper is down is found when it is back, told twice or not', async () => {
  const [first, second] = [word(), word()];
  const { id } = await garage.listing({ published: true });
  await settle();
  const translation = await translate(id, `Bonne ${first}`);
  await settle('translation.relay');
  expect(await search(first, 'fr')).toEqual([]);
  await rest('PATCH', `translations?id=${translation}`, { status: 'draft' }, 200);
  await rest('PATCH', `translations?id=${translation}`, { status: 'published' }, 200);
  const { id: other } = await garage.listing({ published: true });
  await translate(other, `Belle ${second}`);
  await settle();
  expect([await search(first, 'fr'), await search(second, 'fr')]).toEqual([[id], [other]]);
  // As after a crash before the note of how far it came: everything is told once more.
  await RelayCursorModel.updateOne({ _id: 'identity.catalog-texts' }, { $set: { position: 0 } });
  const again = 2;
  await app.stack.runJob('identity.catalog-texts', again);
  expect([await search(first, 'fr'), await search(second, 'fr')]).toEqual([[id], [other]]);
});
