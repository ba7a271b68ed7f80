import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { commandsOf } from '../support/commandsOf.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, type SeededInstallation, type SeededUser, seed } from '../support/seed.ts';

let app: TestApp;
let shop: SeededInstallation;
let garage: SeededDealer;
let editor: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  await createLanguageSettings(app.stack.demo, {
    languages: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }, { code: 'it', active: false }],
  });
  shop = await seed(app.stack).in(app.stack.demo);
  garage = await shop.dealer();
  editor = await shop.staff('editor');
});
afterAll(() => app.close());

const base = 'http://demo.localhost';
const get = (path: string) => app.send({ path: `/api/v1/catalog/${path}` });
const rest = (method: string, path: string, body: object) =>
  app.send({ method, path: `/api/rest/translation/v1/${path}`, body, token: editor.token });

async function settle(): Promise<void> {
  for (const job of ['identity.relay', 'translation.object-heads']) await app.stack.runJob(job);
}

const french = { title: 'Bonne voiture', description: 'Roule très bien, un seul propriétaire.' };
async function translate(id: string, options: object = {}): Promise<void> {
  const source = { type: 'listing', id };
  const body = { source, language: 'fr', status: 'published', fields: french, ...options };
  expect(await rest('POST', 'translations', body)).toMatchObject({ status: 201 });
}

test('a listing comes in the language of its reader, and says which one that is', async () => {
  const { id, slug } = await garage.listing({ published: true });
  await translate(id);
  await settle();
  const own = (await get(`listings/${id}`)).json;
  const { status, json, headers } = await get(`listings/${slug}?locale=fr-CA`);
  expect([status, headers['content-language']]).toEqual([200, 'fr']);
  expect(json).toEqual({
    ...own,
    ...french,
    language: 'fr',
    url: `${base}/fr/listings/${slug}`,
    resolution: {
      requested: 'fr-CA',
      matched: 'fr',
      strategy: 'locale_match',
      chain: ['fr', 'en'],
      fallbackUsed: true,
    },
  });
});

test('without a language it is the owner’s own text, and the translation subgraph is not asked', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id);
  await settle();
  await get(`listings/${id}`);
  let answer: Awaited<ReturnType<typeof get>> | undefined;
  const commands = await commandsOf(async () => {
    answer = await get(`listings/${id}`);
  });
  expect(commands.filter((command) => command.includes('translation'))).toEqual([]);
  expect(answer?.json).not.toHaveProperty('resolution');
  expect(answer?.json).not.toHaveProperty('text');
  expect(answer?.headers).not.toHaveProperty('content-language');
});

test('where another listing says the same in that language, its words are shown', async () => {
  const { id } = await garage.listing({ published: true });
  const german = await garage.listing({ published: true, language: 'de', title: 'Gutes Auto' });
  const object = (objectId: string) => ({ type: 'listing', id: objectId });
  const linked = await rest('POST', 'relations', { object: object(german.id), relatedTo: object(id) });
  expect(linked.status).toBe(201);
  await settle();
  expect((await get(`listings/${id}?locale=de`)).json).toMatchObject({
    id,
    title: 'Gutes Auto',
    language: 'de',
    url: `${base}/listings/${german.slug}`,
    resolution: { matched: 'de', strategy: 'exact' },
  });
});

test.each([
  ['in no language that suits', 'sw', { matched: 'en', strategy: 'default_language', fallbackUsed: true }],
  ['in its own', 'en', { matched: 'en', strategy: 'exact', fallbackUsed: false }],
  ['in a language that readers do not get yet', 'it', { matched: 'en', strategy: 'default_language' }],
])('a listing alone is read as it is %s', async (_, locale, resolution) => {
  const { id } = await garage.listing({ published: true });
  await settle();
  const own = (await get(`listings/${id}`)).json;
  const { json } = await get(`listings/${id}?locale=${locale}`);
  expect(json).toEqual({ ...own, resolution: expect.objectContaining(resolution) });
});

test('a translation that is not live is not shown', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id, { status: 'draft' });
  await settle();
  const own = (await get(`listings/${id}`)).json;
  expect((await get(`listings/${id}?locale=fr`)).json).toMatchObject({
    title: own.title,
    language: own.language,
  });
});

test('a listing that nobody has told of yet is read as it is', async () => {
  const { id } = await garage.listing({ published: true });
  const own = (await get(`listings/${id}`)).json;
  expect((await get(`listings/${id}?locale=fr`)).json).toEqual({ ...own, resolution: null });
});

test('a dealer’s page comes in the language of its reader', async () => {
  const dealer = await shop.dealer();
  const source = { type: 'dealer', id: dealer.id };
  const fields = { description: 'Voitures de confiance depuis 1972.' };
  await translate(dealer.id, { source, fields });
  await settle();
  const own = (await get(`dealers/${dealer.id}`)).json;
  const { json, headers } = await get(`dealers/${dealer.id}?locale=fr`);
  expect(headers['content-language']).toBe('fr');
  expect(json).toMatchObject({ id: dealer.id, tradeName: own.tradeName, ...fields });
  expect(json.resolution).toMatchObject({ matched: 'fr', strategy: 'exact' });
});

test.each(['listings/{id}', 'listings', 'dealers/{dealer}'])(
  'what is no language is 400 at %s',
  async (path) => {
    const { id } = await garage.listing({ published: true });
    const target = path.replace('{id}', id).replace('{dealer}', garage.id);
    for (const locale of ['', 'not%20a%20language', '%24ne'])
      expect(await get(`${target}?locale=${locale}`)).toMatchObject({ status: 400 });
    expect(await get(`${target}?locale=fr&locale=de`)).toMatchObject({ status: 400 });
    expect(await get(`${target}?language=fr`)).toMatchObject({ status: 400 });
    expect(await get(`${target}?localized=true`)).toMatchObject({ status: 400 });
  },
);

test('a page of results costs the same for one listing and for twelve, and asks no owner', async () => {
  const many = await shop.dealer();
  for (let index = 0; index < 12; index += 1) {
    const { id } = await many.listing({ published: true });
    await translate(id);
  }
  await settle();
  const cost = async (limit: number) => {
    let titles: string[] = [];
    const commands = await commandsOf(async () => {
      const { json } = await get(`listings?dealerId=${many.id}&limit=${limit}&locale=fr`);
      titles = json.data.map(({ title, language }: { title: string; language: string }) => [title, language]);
    });
    expect(titles).toEqual(Array.from({ length: limit }, () => [french.title, 'fr']));
    return commands.filter((command) => command.includes('translation'));
  };
  await cost(1);
  const single = await cost(1);
  expect(single).toEqual(['find translation_object_heads', 'find translations', 'find translations']);
  expect(await cost(12)).toEqual(single);
});
