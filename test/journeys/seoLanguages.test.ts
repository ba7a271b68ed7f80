import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, type SeededUser, seed } from '../support/seed.ts';

let app: TestApp;
let garage: SeededDealer;
let rival: SeededUser;
let editor: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  await createLanguageSettings(app.stack.demo, {
    languages: [{ code: 'en' }, { code: 'de' }, { code: 'es-419' }, { code: 'fr' }],
  });
  const shop = await seed(app.stack).in(app.stack.demo);
  garage = await shop.dealer();
  rival = (await shop.dealer()).owner;
  editor = await shop.staff('editor');
});
afterAll(() => app.close());

async function ask(query: string, variables: object, as: { token: string } = editor): Promise<any> {
  const body = { query, variables };
  return (await app.send({ method: 'POST', path: '/graphql', body, token: as.token })).json;
}
async function must(query: string, variables: object, as: { token: string } = editor): Promise<any> {
  const { data, errors } = await ask(query, variables, as);
  expect(errors).toBeUndefined();
  return data;
}

const base = 'http://demo.localhost';
const create =
  'mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { id } } }';
const fields = { title: 'Bonne voiture', description: 'Roule très bien.' };
const translate = (id: string, language: string, status = 'PUBLISHED') =>
  must(create, { input: { source: { type: 'LISTING', id }, language, fields, status } });
const save = 'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id } } }';
const optimise = (id: string, input: object = {}) =>
  must(save, { input: { object: { type: 'LISTING', id }, keyphrase: 'good car', ...input } });
const report = /* GraphQL */ `query ($object: SeoObjectRef!, $locale: LanguageTag) {
  seoRecord(object: $object, locale: $locale) {
    keyphrase contentLanguage { code direction }
    hreflang { alternates { hreflang href language { code } } issues { code language } }
  }
}`;
const read = async (id: string, options: object = {}) =>
  (await must(report, { object: { type: 'LISTING', id }, ...options })).seoRecord;

async function settle(): Promise<void> {
  for (const job of ['identity.relay', 'translation.object-heads']) await app.stack.runJob(job);
}

test('SEO fields say which configured language they are in, and what links their page to the others', async () => {
  const { id, slug } = await garage.listing({ published: true, language: 'en-US' });
  await translate(id, 'de');
  await optimise(id);
  await settle();
  expect(await read(id)).toEqual({
    keyphrase: 'good car',
    contentLanguage: { code: 'en', direction: 'LTR' },
    hreflang: {
      alternates: [
        { hreflang: 'en', href: `${base}/listings/${slug}`, language: { code: 'en' } },
        { hreflang: 'de', href: `${base}/de/listings/${slug}`, language: { code: 'de' } },
        { hreflang: 'x-default', href: `${base}/listings/${slug}`, language: null },
      ],
      issues: [],
    },
  });
});

test('a page alone has no links and nothing wrong with them', async () => {
  const { id } = await garage.listing({ published: true });
  await optimise(id);
  await settle();
  expect((await read(id)).hreflang).toEqual({ alternates: [], issues: [] });
});

test('what keeps a page from being linked is told with its language', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id, 'de');
  await translate(id, 'es-419');
  await translate(id, 'fr', 'DRAFT');
  await optimise(id, { canonicalUrl: 'https://elsewhere.example/car' });
  await settle();
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

test('the links of an object are told to those who may edit its SEO fields', async () => {
  const { id } = await garage.listing({ published: true });
  await optimise(id);
  const { data, errors } = await ask(report, { object: { type: 'LISTING', id } }, rival);
  expect(data.seoRecord).toBeNull();
  expect(errors[0].extensions.problem.code).toBe('ownership_required');
});

test('a reference from outside meets the same guard: 401, 403, and nothing for what is not there', async () => {
  const { id } = await garage.listing({ published: true });
  await optimise(id);
  const outcome = async (objectId: string, as?: { token: string }) => {
    const reference = { __typename: 'SeoRecord', id: 'seo_x', objectType: 'LISTING', objectId, locale: 'en' };
    const { data, errors = [] } = await app.stack.execute(
      `query ($references: [_Any!]!) { _entities(representations: $references) {
         ... on SeoRecord { id contentLanguage { code } hreflang { issues { code } } } } }`,
      { references: [reference] },
      { as: as?.token ?? null, subgraph: 'translation' },
    );
    const problem = errors[0]?.extensions.problem as { code: string } | undefined;
    return problem?.code ?? data?._entities[0]?.contentLanguage?.code ?? null;
  };
  expect(await outcome(id)).toBe('token_missing');
  expect(await outcome(id, rival)).toBe('ownership_required');
  expect(await outcome(id, garage.owner)).toBe('en');
  expect(await outcome(id, editor)).toBe('en');
  expect(await outcome('lst_01M81NX1P8XAEWWZ69H914YBHX', editor)).toBeNull();
});
