import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { openTestApp, restRoot, type TestApp } from '../support/openTestApp.ts';
import { type SeededUser, seed } from '../support/seed.ts';

let app: TestApp;
let editor: SeededUser;
let buyer: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  const { stack } = app;
  await createLanguageSettings(stack.demo, { languages: [{ code: 'en' }, { code: 'de' }] });
  const shop = await seed(stack).in(stack.demo);
  editor = await shop.staff('editor');
  buyer = await shop.user();
});
afterAll(() => app.close());

/** Everything that happened becomes known everywhere. */
async function settle(): Promise<void> {
  for (const job of ['identity.relay', 'translation.object-heads', 'translation.erasures', 'seo.erasures'])
    await app.stack.runJob(job);
}

async function graphql(query: string, variables: object, as?: SeededUser): Promise<any> {
  const { json } = await app.send({
    method: 'POST',
    path: '/graphql',
    body: { query, variables },
    ...(as && { token: as.token }),
  });
  expect(json.errors).toBeUndefined();
  return json.data;
}
const rest = (method: string, path: string, as: SeededUser, body?: object) =>
  app.send({ method, path: `${restRoot}${path}`, token: as.token, ...(body && { body }) });

const change = async (name: string, input: object) => {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
  const selection = name === 'deletePage' ? 'deletedPageId' : 'page { id slug }';
  const source = `mutation ($input: ${type}) { ${name}(input: $input) { ${selection} } }`;
  return (await graphql(source, { input }, editor))[name];
};
const write = async (html: string): Promise<{ id: string; slug: string }> => {
  const { page } = await change('createPage', { title: 'How to buy a car', kind: 'POST', html });
  await change('publishPage', { pageId: page.id });
  return page;
};
const inGerman = `query ($slug: String!) { page(slug: $slug) { title html
  translation(language: "de") { matchedCode translation { fields { title html } } } } }`;

test('a page is analysed, translated and read in another language, and all of it goes with the page', async () => {
  const { id, slug } = await write('<h2>The test drive</h2><p>Drive it before you buy it.</p>');
  const object = { type: 'page', id };

  const analysed = await rest('POST', '/seo-tools/v1/analysis', editor, { object, keyphrase: 'test drive' });
  expect(analysed).toMatchObject({ status: 200, json: { profile: 'article' } });
  const record = `mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id keyphrase } } }`;
  await graphql(record, { input: { object: { type: 'PAGE', id }, keyphrase: 'test drive' } }, editor);

  const fields = {
    title: 'Wie man ein Auto kauft',
    html: '<h2>Probefahrt</h2><p onclick="alert(1)">Erst fahren.</p><script>alert(1)</script>',
  };
  const translated = await rest('POST', '/translation/v1/translations', editor, {
    source: object,
    language: 'de',
    status: 'published',
    fields,
  });
  const clean = '<h2>Probefahrt</h2><p>Erst fahren.</p>';
  expect(translated).toMatchObject({
    status: 201,
    json: { object: { type: 'page' }, fields: { html: clean } },
  });
  await settle();
  expect((await graphql(inGerman, { slug })).page).toEqual({
    title: 'How to buy a car',
    html: '<h2>The test drive</h2><p>Drive it before you buy it.</p>',
    translation: {
      matchedCode: 'de',
      translation: { fields: { title: 'Wie man ein Auto kauft', html: clean } },
    },
  });

  await change('updatePage', { pageId: id, html: '<p>Drive it twice.</p>' });
  const work = `query ($id: ID!) { translation(id: $id) { outdated changedSourceFields } }`;
  expect((await graphql(work, { id: translated.json.id }, editor)).translation).toEqual({
    outdated: true,
    changedSourceFields: ['html'],
  });

  await change('deletePage', { pageId: id });
  await settle();
  expect((await graphql(inGerman, { slug })).page).toBeNull();
  const seo = `query ($id: ID!) { seoRecord(object: { type: PAGE, id: $id }) { id } }`;
  const { json } = await app.send({
    method: 'POST',
    path: '/graphql',
    token: editor.token,
    body: { query: seo, variables: { id } },
  });
  expect(json.errors[0].extensions.problem).toMatchObject({ code: 'not_found', status: 404 });
});

test('somebody who only sells works on no page, and a draft is nothing to him', async () => {
  const { id } = await write('<p>Text</p>');
  const analyse = (pageId: string) =>
    rest('POST', '/seo-tools/v1/analysis', buyer, { object: { type: 'page', id: pageId } });
  expect(await analyse(id)).toMatchObject({ status: 403, json: { code: 'ownership_required' } });
  await change('unpublishPage', { pageId: id });
  expect(await analyse(id)).toMatchObject({ status: 404, json: { code: 'not_found' } });
});

test('what is larger than a request may be is refused before it is read', async () => {
  const answer = await app.send({
    method: 'POST',
    path: '/graphql',
    token: editor.token,
    body: {
      query: 'mutation ($input: CreatePageInput!) { createPage(input: $input) { page { id } } }',
      variables: { input: { title: 'Large', html: 'x'.repeat(1_100_000) } },
    },
  });
  expect(answer).toMatchObject({ status: 413 });
});
