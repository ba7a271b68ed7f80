import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { openTestApp, restRoot, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, type SeededUser, seed } from '../support/seed.ts';

/** What others have stumbled over, each by its name. */

let app: TestApp;
let garage: SeededDealer;
let editor: SeededUser;
let administrator: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  await createLanguageSettings(app.stack.demo, {
    languages: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }, { code: 'he' }, { code: 'pt-br' }],
  });
  const shop = await seed(app.stack).in(app.stack.demo);
  garage = await shop.dealer();
  [editor, administrator] = [await shop.staff('editor'), await shop.staff('installation_admin')];
}, 60_000);
afterAll(() => app.close());

interface Asked {
  as?: { token: string } | null;
  body?: object;
}
async function call(method: string, path: string, { as = editor, body }: Asked = {}) {
  const { status, json } = await app.send({
    method,
    path: `${restRoot}/translation/v1${path}`,
    ...(as && { token: as.token }),
    ...(body && { body }),
  });
  return { status, code: json?.code, body: json };
}
async function ask(query: string, variables: object, as?: SeededUser) {
  const request = { method: 'POST', path: '/graphql', body: { query, variables } };
  return (await app.send({ ...request, ...(as && { token: as.token }) })).json;
}
const codeOf = ({ errors }: any) => errors?.[0]?.extensions.problem.code;
const published = async () => (await garage.listing({ published: true })).id;
const texts = { title: 'Bonne voiture', description: 'Roule très bien, un seul propriétaire.' };
const create = (id: string, members: object = {}) =>
  call('POST', '/translations', {
    body: { source: { type: 'listing', id }, language: 'fr', fields: texts, ...members },
  });

test('a status changes no source: it is not published, put away or touched by its translation', async () => {
  const id = await published();
  await create(id);
  for (const status of ['published', 'archived', 'draft'])
    expect(
      await call('PATCH', `/translations?objectType=listing&objectId=${id}&language=en`, {
        body: { status },
      }),
    ).toMatchObject({ status: 422, code: 'source_status_readonly' });
});

test('a selector stands in one place: two that differ are refused, and nothing is changed', async () => {
  const [one, other] = [await create(await published()), await create(await published())];
  const body = { id: other.body.id, status: 'archived' };
  expect((await call('PATCH', `/translations?id=${one.body.id}`, { body })).status).toBe(400);
  const twice = `/translations?id=${one.body.id}&id=${other.body.id}`;
  expect((await call('PATCH', twice, { body: { status: 'archived' } })).status).toBe(400);
  for (const { body } of [one, other])
    expect((await call('GET', `/translations?id=${body.id}`)).body.status).toBe('draft');
});

test.each(['scope=ALL', 'scope=all&scope=active'])('%s is no scope', async (query) => {
  expect((await call('GET', `/languages?${query}`)).status).toBe(400);
});

test('a rejected token is refused on the public list', async () => {
  expect((await call('GET', '/languages', { as: { token: 'not.a.token' } })).status).toBe(401);
  expect((await call('GET', '/languages', { as: null })).status).toBe(200);
});

test('an id of another installation looks like none', async () => {
  const abroad = await seed(app.stack).in(app.stack.other);
  const foreign = (await (await abroad.dealer()).listing({ published: true })).id;
  const answers = [];
  for (const id of [foreign, 'lst_00000000000000000000000000'])
    answers.push(
      await call('GET', `/relations?objectType=listing&objectId=${id}`),
      await create(id),
      await call('POST', '/relations', {
        body: { object: { type: 'listing', id }, relatedTo: { type: 'listing', id: await published() } },
      }),
    );
  expect(answers.map(({ status, code }) => [status, code])).toEqual(
    answers.map(() => [404, 'object_not_found']),
  );
});

test('operator objects are no parameters and no members', async () => {
  expect((await call('GET', '/relations?objectType=listing&objectId[$ne]=x')).status).toBe(400);
  const body = { id: { $ne: null }, status: 'archived' };
  expect((await call('PATCH', '/translations', { body })).status).toBe(422);
});

test('__proto__ is no text', async () => {
  const fields = JSON.parse('{"__proto__": {"title": "x"}}');
  expect(await create(await published(), { fields })).toMatchObject({ status: 422, code: 'unknown_field' });
});

test.each([
  ['PT-br', 'pt-br'],
  ['pt_BR', 'pt-br'],
  ['iw', 'he'],
])('%s is the language %s', async (language, expected) => {
  expect((await create(await published(), { language })).body.language).toBe(expected);
});

test.each(['in', 'mo', 'sh', 'x-pirate', 'und'])('%s is no language to write in', async (language) => {
  expect(await create(await published(), { language })).toMatchObject({
    status: 422,
    code: 'language_not_configured',
  });
});

test.each([
  ['anything', '*', 'en'],
  ['no quality', 'en;q=abc', 'en'],
  ['100 kB', `de,${'x'.repeat(100_000)}`, 'de'],
])('the header of %s is understood as far as it goes', async (_, acceptLanguage, expected) => {
  const query = 'query ($header: String!) { negotiateLanguage(acceptLanguage: $header) { code } }';
  const { data } = await ask(query, { header: acceptLanguage });
  expect(data.negotiateLanguage.code).toBe(expected);
});

test.each(['https://elsewhere.example/fr/', 'javascript:alert(1)'])(
  '%s is no home of a language',
  async (homeUrl) => {
    const query =
      'mutation ($input: UpdateLanguageInput!) { updateLanguage(input: $input) { language { code } } }';
    const refused = await ask(query, { input: { code: 'fr', homeUrl } }, administrator);
    expect(refused.errors).toHaveLength(1);
    const { data } = await ask('{ language(code: "fr") { homeUrl } }', {});
    expect(data.language.homeUrl).toBe('http://demo.localhost/fr/');
  },
);

test('a draft beside a text spoils no list of strangers', async () => {
  const id = await published();
  await create(id);
  for (const job of ['identity.relay', 'translation.object-heads']) await app.stack.runJob(job);
  const query = `query ($id: ID!) { catalogListing(listingId: $id) {
    alternates { href } translation(language: "fr") { matchedCode translation { languageCode fields { title } } } } }`;
  const { data, errors } = await ask(query, { id });
  expect(errors).toBeUndefined();
  expect(data.catalogListing).toEqual({
    alternates: [],
    translation: { matchedCode: 'en', translation: { languageCode: 'en', fields: null } },
  });
});

test('the default language is not deactivated', async () => {
  const query =
    'mutation ($input: SetLanguageActiveInput!) { setLanguageActive(input: $input) { language { code } } }';
  const refused = await ask(query, { input: { code: 'en', active: false } }, administrator);
  expect(codeOf(refused)).toBe('language_is_default');
});

test('a DELETE whose body a proxy has dropped is refused, and one with a body is read', async () => {
  const id = await published();
  await create(id);
  expect((await call('DELETE', '/relations')).status).toBe(400);
  const body = { objectType: 'listing', objectId: id };
  expect(await call('DELETE', '/relations', { body })).toMatchObject({ status: 200 });
});

test('the same POST twice at once makes one translation, and tells the other one which', async () => {
  const id = await published();
  const answers = await Promise.all([create(id), create(id)]);
  const [made, refused] = answers.sort((a, b) => a.status - b.status);
  expect([made?.status, refused?.status]).toEqual([201, 409]);
  expect(refused?.body.conflict.id).toBe(made?.body.id);
});

test.each(['strings', 'suggestions', 'import', 'export', 'status'])(
  '/%s is 404 to everybody, whatever the method, before anybody is asked who he is',
  async (name) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      for (const as of [null, editor, { token: 'not.a.token' }])
        expect((await call(method, `/${name}`, { as })).status).toBe(404);
  },
);
