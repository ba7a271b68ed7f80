import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { createPage } from '../../fixture/createPage.ts';
import type { UpdateSeoRecordInput } from '../../seo.generated.ts';

const { market } = product();
let editor: SeededUser;
let object: Awaited<ReturnType<typeof createPage>>;
beforeAll(async () => {
  editor = await market.staff('editor');
});
beforeEach(async () => {
  object = await createPage(editor);
});

const update = (changes: Partial<Wire<UpdateSeoRecordInput>>) =>
  editor.updateSeoRecord({ object, ...changes });
const read = (locale?: string) => editor.seoRecord({ object, ...(locale && { locale }) });

test('SEO fields lead to their object, and from there back', async () => {
  const { record } = await update({ keyphrase: 'tyre' });
  const query = `{ seoRecord(object: { type: PAGE, id: "${object.id}" }) {
    object { __typename ... on Page { title seo { keyphrase object { ... on Page { id } } } } } } }`;
  const { body } = await editor.rest('POST', '/graphql', { body: { query } });
  const seo = { keyphrase: record.keyphrase, object: { id: object.id } };
  expect(body).toEqual({
    data: { seoRecord: { object: { __typename: 'Page', title: expect.any(String), seo } } },
  });
});

test('an object has no SEO fields before they are saved', async () => {
  expect(await read()).toBeNull();
  const { record } = await update({
    keyphrase: ' winter tyre ',
    synonyms: ['snow tyre', 'snow tyre', ' '],
  });
  expect(record).toMatchObject({
    objectType: 'PAGE',
    objectId: object.id,
    locale: 'en',
    keyphrase: 'winter tyre',
    synonyms: ['snow tyre'],
    noindex: false,
    revision: 1,
  });
  expect(await read()).toEqual(record);
});

test('a member that is left out is kept, and null and blank texts clear a member', async () => {
  const saved = { seoTitle: 'Tyres', slug: 'tyres', synonyms: ['wheel'], noindex: true };
  await update({ keyphrase: 'tyre', ...saved });
  const { record } = await update({ keyphrase: null, seoTitle: '  ', synonyms: null });
  const cleared = { keyphrase: null, seoTitle: null, synonyms: [] };
  expect(record).toMatchObject({ ...cleared, slug: 'tyres', noindex: true, revision: 2 });
});

test('each language has its own fields', async () => {
  await update({ keyphrase: 'tyre' });
  await update({ keyphrase: 'Reifen', locale: 'de' });
  expect((await read()).keyphrase).toBe('tyre');
  expect((await read('de')).keyphrase).toBe('Reifen');
  expect(await read('fr')).toBeNull();
});

test('of concurrent updates of one version one succeeds, and without a version all are kept', async () => {
  await update({ keyphrase: 'start' });
  const guarded = await Promise.all(
    ['a', 'b', 'c', 'd'].map((keyphrase) => update({ keyphrase, expectedVersion: 1 })),
  );
  expect(guarded.filter(isRefused)).toHaveLength(3);
  const names = ['seoTitle', 'slug', 'metaDescription'];
  const unguarded = await Promise.all(names.map((name) => update({ [name]: 'x' })));
  expect(unguarded.filter(isRefused)).toEqual([]);
  const all = { seoTitle: 'x', slug: 'x', metaDescription: 'x', revision: 5 };
  expect(await read()).toMatchObject(all);
});

test('concurrent first updates create one record', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((keyphrase) => update({ keyphrase })));
  expect(new Set(answers.map(({ record }) => record.id)).size).toBe(1);
  expect((await read()).revision).toBe(3);
});

test.each<[string, Partial<Wire<UpdateSeoRecordInput>>, string]>([
  ['a slug with a slash', { slug: 'a/b' }, '#/slug'],
  ['a switch that is null', { noindex: null }, '#/noindex'],
])('%s is refused and nothing is stored', async (_, changes, pointer) => {
  expect(await update(changes)).toBeRefused(422, 'validation_failed', { errors: [{ pointer }] });
  expect(await read()).toBeNull();
});

test('a canonical address that is not absolute is refused', async () => {
  expect(isRefused(await update({ canonicalUrl: '/somewhere' }))).toBe(true);
});
