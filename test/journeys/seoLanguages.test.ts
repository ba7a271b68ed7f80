import { createLanguageSettings } from '../../subgraphs/translation/languages/language/createLanguageSettings.ts';
import { product } from '../support/product.ts';
import type { SeededDealer, SeededUser } from '../support/seed.ts';

const world = product();
const { market } = world;
let garage: SeededDealer;
let editor: SeededUser;
beforeAll(async () => {
  const languages = ['en', 'de', 'es-419', 'fr'].map((code) => ({ code }));
  await createLanguageSettings(market.installation, { languages });
  garage = await market.dealer();
  editor = await market.staff('editor');
});

const fields = { title: 'Bonne voiture', description: 'Roule très bien.' };
const translate = (id: string, language: string, status: 'PUBLISHED' | 'DRAFT' = 'PUBLISHED') =>
  editor.createTranslation({ source: { type: 'LISTING', id }, language, fields, status });
const optimise = (id: string, input: object = {}) =>
  editor.updateSeoRecord({ object: { type: 'LISTING', id }, keyphrase: 'good car', ...input });

/** Reads SEO fields through the supergraph, once the events of listings and translations are consumed. */
async function read(id: string) {
  for (const job of ['identity.relay', 'translation.object-heads']) await world.stack.runJob(job);
  const query = `{ seoRecord(object: { type: LISTING, id: "${id}" }) {
    keyphrase contentLanguage { code direction }
    hreflang { alternates { hreflang href language { code } } issues { code language } } } }`;
  const { body } = await editor.rest('POST', '/graphql', { body: { query } });
  return body.data.seoRecord;
}

test('SEO fields state their configured language and the links to the page in other languages', async () => {
  const { id, slug } = await garage.listing({ published: true, language: 'en-US' });
  await translate(id, 'de');
  await optimise(id);
  const { baseUrl } = market.installation;
  expect(await read(id)).toEqual({
    keyphrase: 'good car',
    contentLanguage: { code: 'en', direction: 'LTR' },
    hreflang: {
      alternates: [
        { hreflang: 'en', href: `${baseUrl}/listings/${slug}`, language: { code: 'en' } },
        { hreflang: 'de', href: `${baseUrl}/de/listings/${slug}`, language: { code: 'de' } },
        { hreflang: 'x-default', href: `${baseUrl}/listings/${slug}`, language: null },
      ],
      issues: [],
    },
  });
});

test('a page without translations has no links and no issues', async () => {
  const { id } = await garage.listing({ published: true });
  await optimise(id);
  expect((await read(id)).hreflang).toEqual({ alternates: [], issues: [] });
});

test('an issue names the language of the page that cannot be linked', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id, 'de');
  await translate(id, 'es-419');
  await translate(id, 'fr', 'DRAFT');
  await optimise(id, { canonicalUrl: 'https://elsewhere.example/car' });
  const { issues } = (await read(id)).hreflang;
  expect(issues).toHaveLength(3);
  expect(issues).toEqual(
    expect.arrayContaining([
      { code: 'invalid_code', language: 'es-419' },
      { code: 'not_live', language: 'fr' },
      { code: 'different_canonical', language: 'en' },
    ]),
  );
});
