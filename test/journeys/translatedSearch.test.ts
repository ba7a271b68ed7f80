import { RelayCursorModel } from '../../subgraphs/platform/events/model.ts';
import { french, openDesk, ref } from '../../subgraphs/translation/fixture/openDesk.ts';
import { product } from '../support/product.ts';
import { unique } from '../support/seed.ts';
import { commandsOf } from '../support/stack/commandsOf.ts';
import { indexesOf } from '../support/stack/indexesOf.ts';

const world = product();
const { market } = world;
const { people, car, hide, link, unlink, translate, change, run } = openDesk(world, [
  { code: 'en' },
  { code: 'de' },
  { code: 'fr' },
  { code: 'lb', fallbacks: ['fr'] },
  { code: 'it', active: false },
]);

/** Publishes all events and applies them to the catalogue. */
const settle = () =>
  run('identity.relay', 'translation.object-heads', 'translation.relay', 'identity.catalog-texts');
/** Returns a unique word. It ends with a digit, because a stemmer removes the final vowel of every tenth random word. */
const word = () => `${unique('x').replaceAll(/[^a-z0-9]/gi, '')}7`;

/** Publishes a French text with this title and returns its id. */
async function translateTitle(id: string, title: string, options: object = {}): Promise<string> {
  return (await translate(id, { status: 'PUBLISHED', fields: { ...french, title }, ...options })).id;
}

/** Searches with REST, facets and GraphQL, expects equal results, and returns the ids of the listings. */
async function search(q: string, locale?: string): Promise<string[]> {
  const query = new URLSearchParams({ q, ...(locale && { locale }) });
  const listings = await market.visitor.rest('GET', `/api/v1/catalog/listings?${query}&count=true`);
  const facets = await market.visitor.rest('GET', `/api/v1/catalog/facets?${query}&facets=condition`);
  const ids: string[] = listings.body.data.map(({ id }: { id: string }) => id);
  expect([listings.body.meta.totalCount, facets.body.total]).toEqual([String(ids.length), ids.length]);
  const variables = { q, ...(locale && { locale }) };
  expect((await market.visitor.catalogListings(variables, 'nodes { id }')).nodes.map(({ id }) => id)).toEqual(
    ids,
  );
  return ids;
}

test('a listing is found by its texts in the language of the search and by those of its owner', async () => {
  const [own, translated] = [word(), word()];
  const id = await car({ title: `Good ${own}` });
  await translateTitle(id, `Bonne ${translated}`);
  await settle();
  // Luxembourgish has French as its fallback.
  for (const locale of ['fr', 'fr-CA', 'lb']) expect(await search(translated, locale)).toEqual([id]);
  for (const locale of ['fr', undefined]) expect(await search(own, locale)).toEqual([id]);
  for (const locale of [undefined, 'en', 'de']) expect(await search(translated, locale)).toEqual([]);
});

test('a text is found by readers of another language who can read it', async () => {
  const translated = word();
  const id = await car();
  await translate(id, {
    status: 'PUBLISHED',
    language: 'de',
    fields: { ...french, title: `Gut ${translated}` },
  });
  await settle();
  for (const locale of ['de', 'gsw', 'lb-LU']) expect(await search(translated, locale)).toEqual([id]);
  for (const locale of ['nl', 'gsw-Arab']) expect(await search(translated, locale)).toEqual([]);
});

test('a word is found by another inflection in the language of the text', async () => {
  const own = word();
  const id = await car({ title: `Good ${own}` });
  await translateTitle(id, `${own} avec réparations récentes`);
  await settle();
  expect(await search('reparation', 'fr')).toContain(id);
});

test('a translated listing with a match in its title ranks before one with a match in its description', async () => {
  const translated = word();
  const [inText, inTitle] = [await car(), await car()];
  await translateTitle(inTitle, `Bonne ${translated}`);
  const fields = { title: 'Bonne voiture', description: `Roule bien, ${translated}.` };
  await translate(inText, { status: 'PUBLISHED', fields });
  await settle();
  expect(await search(translated, 'fr')).toEqual([inTitle, inText]);
});

test('a translation is found only while it is published', async () => {
  const translated = word();
  const id = await car();
  const text = await translateTitle(id, `Bonne ${translated}`);
  await settle();
  expect(await search(translated, 'fr')).toEqual([id]);
  for (const [status, found] of [
    ['DRAFT', []],
    ['PUBLISHED', [id]],
  ] as const) {
    await change({ id: text, status });
    await settle();
    expect(await search(translated, 'fr')).toEqual(found);
  }
});

test('a translation finds every listing that shows it, while its source is public', async () => {
  const [german, translated] = [word(), word()];
  const id = await car();
  await translateTitle(id, `Bonne ${translated}`);
  const other = await car({ language: 'de', title: `Gutes ${german}` });
  await link({ object: ref(other), relatedTo: ref(id) });
  await settle();
  const both = [id, other].sort();
  const found = async () => (await search(translated, 'fr')).sort();
  expect(await found()).toEqual(both);
  expect(await search(german, 'de')).toEqual([other]);
  await hide(id);
  await settle();
  expect(await found()).toEqual([]);
  expect(await people.dealer.publishListing({ listingId: id })).not.toBeRefused();
  await settle();
  expect(await found()).toEqual(both);
  await unlink(other);
  await settle();
  expect(await found()).toEqual([id]);
});

test('translations into an inactive language are found after its activation', async () => {
  const italian = word();
  const id = await car();
  await translateTitle(id, `Bella ${italian}`, { language: 'it' });
  await settle();
  expect(await search(italian, 'it')).toEqual([]);
  expect(await people.admin.setLanguageActive({ code: 'it', active: true })).not.toBeRefused();
  await settle();
  expect(await search(italian, 'it')).toEqual([id]);
});

test('a locale adds one command to a search with words and none to one without', async () => {
  const cost = async (query: string) => {
    const path = `/api/v1/catalog/facets?facets=condition&${query}`;
    const commands = await commandsOf(() => market.visitor.rest('GET', path));
    // Reads of languages and categories are cached for seconds.
    return commands.filter((command) => !/language_settings|categories/.test(command)).length;
  };
  await cost('q=ford');
  expect(await cost('q=ford&locale=fr')).toBe((await cost('q=ford')) + 1);
  expect(await cost('locale=fr')).toBe(await cost('withImages=false'));
});

test('the job that writes translations to the catalogue uses indexes for every command', async () => {
  await translateTitle(await car(), `Bonne ${word()}`);
  await run('identity.relay', 'translation.relay');
  const plans = await indexesOf(() => run('identity.catalog-texts'));
  const own = plans.filter(({ command }) => /catalog_(?:texts|listings)/.test(command));
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

test('translations published while the catalogue job does not run are found later, also if it repeats events', async () => {
  const name = 'identity.catalog-texts';
  const [first, second] = [word(), word()];
  const [id, other] = [await car(), await car()];
  await settle();
  const { position = 0 } = (await RelayCursorModel.findById(name).lean().exec()) ?? {};
  const text = await translateTitle(id, `Bonne ${first}`);
  await run('translation.relay');
  expect(await search(first, 'fr')).toEqual([]);
  for (const status of ['DRAFT', 'PUBLISHED'] as const) await change({ id: text, status });
  await translateTitle(other, `Belle ${second}`);
  await settle();
  const found = async () => [await search(first, 'fr'), await search(second, 'fr')];
  expect(await found()).toEqual([[id], [other]]);
  // A process that ends before it stores its position leaves the events to a further process.
  await RelayCursorModel.updateOne({ _id: name }, { $set: { position } });
  const successor = await world.stack.successor();
  await successor.runJob(name);
  await successor.close();
  expect(await found()).toEqual([[id], [other]]);
});
