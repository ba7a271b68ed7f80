import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { newId } from '../../platform/ids/newId.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn();
});
afterAll(() => stack.close());

const fields = `id objectType objectId locale keyphrase synonyms seoTitle metaDescription slug canonicalUrl noindex
  isCornerstone revision updatedAt`;

function update(object: object, changes: object, as: SignedIn | null = seller) {
  return stack.execute(
    `mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { ${fields} } } }`,
    { input: { object, ...changes } },
    { as },
  );
}

function read(object: object, locale?: string, as: SignedIn | null = seller, installation = stack.demo) {
  return stack.execute(
    `query ($object: SeoObjectRef!, $locale: LanguageTag) { seoRecord(object: $object, locale: $locale) { ${fields} } }`,
    { object, locale },
    { as, installation },
  );
}

function putListing({ ownerId = seller.id, installationId = stack.demo.id } = {}) {
  const id = newId('listing');
  const content = {
    languageTag: 'en',
    visibility: 'PRIVATE' as const,
    url: null,
    slug: null,
    title: 'Tyre',
    html: '<p>Tyre</p>',
    fields: {},
  };
  neighbour.put({ type: 'Listing', id, installationId, ownerId, contentVersion: 1, content });
  return { type: 'LISTING', id };
}

test('an object has no SEO fields until they are saved', async () => {
  const object = putListing();
  expect(await read(object)).toEqual({ data: { seoRecord: null } });
  const saved = await update(object, {
    keyphrase: ' winter tyre ',
    synonyms: ['snow tyre', 'snow tyre', ' '],
  });
  expect(saved.errors).toBeUndefined();
  expect(saved.data?.updateSeoRecord.record).toMatchObject({
    objectType: 'LISTING',
    objectId: object.id,
    locale: 'en',
    keyphrase: 'winter tyre',
    synonyms: ['snow tyre'],
    noindex: false,
    revision: 1,
  });
  expect((await read(object)).data?.seoRecord).toEqual(saved.data?.updateSeoRecord.record);
});

test('what is left out stays, null and blank texts clear', async () => {
  const object = putListing();
  await update(object, {
    keyphrase: 'tyre',
    seoTitle: 'Tyres',
    slug: 'tyres',
    synonyms: ['wheel'],
    noindex: true,
  });
  const second = await update(object, { keyphrase: null, seoTitle: '  ', synonyms: null });
  expect(second.data?.updateSeoRecord.record).toMatchObject({
    keyphrase: null,
    seoTitle: null,
    synonyms: [],
    slug: 'tyres',
    noindex: true,
    revision: 2,
  });
});

test('each language has its own fields', async () => {
  const object = putListing();
  await update(object, { keyphrase: 'tyre' });
  await update(object, { keyphrase: 'Reifen', locale: 'de' });
  expect((await read(object)).data?.seoRecord.keyphrase).toBe('tyre');
  expect((await read(object, 'de')).data?.seoRecord.keyphrase).toBe('Reifen');
  expect((await read(object, 'fr')).data?.seoRecord).toBeNull();
});

test('a version the caller has not seen writes nothing', async () => {
  const object = putListing();
  const tooEarly = await update(object, { keyphrase: 'a', expectedVersion: 1 });
  expect(problemOf(tooEarly)).toMatchObject({ status: 412, code: 'precondition_failed' });
  expect((await read(object)).data?.seoRecord).toBeNull();
  expect((await update(object, { keyphrase: 'a', expectedVersion: 0 })).errors).toBeUndefined();
  expect((await update(object, { keyphrase: 'b', expectedVersion: 1 })).errors).toBeUndefined();
  expect(problemOf(await update(object, { keyphrase: 'c', expectedVersion: 1 }))).toMatchObject({
    status: 412,
  });
  expect((await read(object)).data?.seoRecord).toMatchObject({ keyphrase: 'b', revision: 2 });
});

test('of writers at once with one version exactly one wins, without a version all are kept', async () => {
  const object = putListing();
  await update(object, { keyphrase: 'start' });
  const guarded = await Promise.all(
    ['a', 'b', 'c', 'd'].map((keyphrase) => update(object, { keyphrase, expectedVersion: 1 })),
  );
  expect(guarded.filter(({ errors }) => !errors)).toHaveLength(1);
  const unguarded = await Promise.all(
    ['seoTitle', 'slug', 'metaDescription'].map((name) => update(object, { [name]: 'x' })),
  );
  expect(unguarded.every(({ errors }) => !errors)).toBe(true);
  expect((await read(object)).data?.seoRecord).toMatchObject({
    seoTitle: 'x',
    slug: 'x',
    metaDescription: 'x',
    revision: 5,
  });
});

test('first savers at once make one record', async () => {
  const object = putListing();
  const results = await Promise.all(['a', 'b', 'c'].map((keyphrase) => update(object, { keyphrase })));
  expect(new Set(results.map(({ data }) => data?.updateSeoRecord.record.id)).size).toBe(1);
  expect((await read(object)).data?.seoRecord.revision).toBe(3);
});

test.each([
  ['a keyphrase over 191 characters', { keyphrase: 'x'.repeat(192) }, '#/keyphrase'],
  ['eleven synonyms', { synonyms: Array(11).fill('a') }, '#/synonyms'],
  ['a slug with a slash', { slug: 'a/b' }, '#/slug'],
  ['a switch that is null', { noindex: null }, '#/noindex'],
  ['a description over 1,000 characters', { metaDescription: 'x'.repeat(1001) }, '#/metaDescription'],
])('%s is refused', async (_, changes, pointer) => {
  const object = putListing();
  expect(problemOf(await update(object, changes))).toMatchObject({ status: 422, errors: [{ pointer }] });
  expect((await read(object)).data?.seoRecord).toBeNull();
});

test('a canonical address that is not absolute is refused', async () => {
  const { errors } = await update(putListing(), { canonicalUrl: '/somewhere' });
  expect(errors).toHaveLength(1);
});

describe('who may read and write', () => {
  const ways: [string, (object: object, as: SignedIn | null) => ReturnType<typeof read>][] = [
    ['reading', (object, as) => read(object, undefined, as)],
    ['writing', (object, as) => update(object, { keyphrase: 'a' }, as)],
  ];
  test.each(ways)('%s needs a token', async (_, call) => {
    expect(problemOf(await call(putListing(), null))).toMatchObject({ status: 401, code: 'token_missing' });
  });

  test.each(ways)('%s needs the permission', async (_, call) => {
    const buyer = await stack.signIn({ roles: ['buyer'] });
    expect(problemOf(await call(putListing({ ownerId: buyer.id }), buyer))).toMatchObject({
      status: 403,
      code: 'permission_required',
    });
  });

  test.each(ways)('%s somebody else’s is refused', async (_, call) => {
    const result = await call(putListing({ ownerId: newId('user') }), seller);
    expect(problemOf(result)).toMatchObject({ status: 403, code: 'ownership_required' });
  });

  test.each(ways)('%s is for editors of the installation too', async (_, call) => {
    const editor = await stack.signIn({ roles: ['editor'] });
    expect((await call(putListing(), editor)).errors).toBeUndefined();
  });

  test.each(ways)('%s another installation’s object finds nothing', async (_, call) => {
    const editor = await stack.signIn({ roles: ['editor'] });
    const result = await call(putListing({ installationId: stack.other.id }), editor);
    expect(problemOf(result)).toMatchObject({ status: 404, code: 'not_found' });
  });
});
