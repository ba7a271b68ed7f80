import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import { restRoot } from '../support/stack/serveStack.ts';

const world = product();
const { market } = world;
let editor: SeededUser;

beforeAll(async () => {
  await createLanguageSettings(market.installation, { languages: [{ code: 'en' }, { code: 'de' }] });
  editor = await market.staff('editor');
});

/** Runs the jobs that publish changes to the other subgraphs. */
async function relay(): Promise<void> {
  for (const job of ['identity.relay', 'translation.object-heads', 'translation.erasures', 'seo.erasures'])
    await world.stack.runJob(job);
}
const write = async (html: string) => {
  const { page } = await editor.createPage({ title: 'How to buy a car', kind: 'POST', html });
  await editor.publishPage({ pageId: page.id });
  return page;
};
const analyse = (by: SeededUser, id: string) =>
  by.rest('POST', `${restRoot}/seo-tools/v1/analysis`, {
    body: { object: { type: 'page', id }, keyphrase: 'test drive' },
  });
const readInGerman = async (slug: string) => {
  const query = `{ page(slug: "${slug}") { title html
    translation(language: "de") { matchedCode translation { fields { title html } } } } }`;
  const { body } = await market.visitor.rest('POST', '/graphql', { body: { query } });
  expect(body.errors).toBeUndefined();
  return body.data.page;
};

test('a page is analysed, translated and read in another language, until it is deleted', async () => {
  const html = '<h2>The test drive</h2><p>Drive it before you buy it.</p>';
  const { id, slug } = await write(html);
  const object = { type: 'PAGE', id } as const;
  expect(await analyse(editor, id)).toMatchObject({ status: 200, body: { profile: 'article' } });
  expect(await editor.updateSeoRecord({ object, keyphrase: 'test drive' })).not.toBeRefused();

  const title = 'Wie man ein Auto kauft';
  const unsafe = '<h2>Probefahrt</h2><p onclick="alert(1)">Erst fahren.</p><script>alert(1)</script>';
  const translated = await editor.rest('POST', `${restRoot}/translation/v1/translations`, {
    body: {
      source: { type: 'page', id },
      language: 'de',
      status: 'published',
      fields: { title, html: unsafe },
    },
  });
  const clean = '<h2>Probefahrt</h2><p>Erst fahren.</p>';
  const created = { object: { type: 'page' }, fields: { html: clean } };
  expect(translated).toMatchObject({ status: 201, body: created });
  await relay();
  expect(await readInGerman(slug)).toEqual({
    title: 'How to buy a car',
    html,
    translation: { matchedCode: 'de', translation: { fields: { title, html: clean } } },
  });

  await editor.updatePage({ pageId: id, html: '<p>Drive it twice.</p>' });
  const outdated = { outdated: true, changedSourceFields: ['html'] };
  const work = await editor.translation({ id: translated.body.id }, 'outdated changedSourceFields');
  expect(work).toEqual(outdated);

  await editor.deletePage({ pageId: id });
  await relay();
  expect(await readInGerman(slug)).toBeNull();
  expect(await editor.seoRecord({ object })).toBeRefused(404, 'not_found');
});

test('a seller receives 403 for the analysis of a published page and 404 for that of a draft', async () => {
  const [seller, { id }] = [await market.user(), await write('<p>Text</p>')];
  expect(await analyse(seller, id)).toBeRefused(403, 'ownership_required');
  await editor.unpublishPage({ pageId: id });
  expect(await analyse(seller, id)).toBeRefused(404, 'not_found');
});
