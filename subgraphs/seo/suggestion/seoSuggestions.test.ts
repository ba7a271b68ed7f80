import { readFileSync } from 'node:fs';
import { buildSchema, isInputObjectType } from 'graphql';
import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { headIdOf } from '../../platform/events/objectHeads.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { SeoHeadModel } from '../object/heads.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn({ roles: ['buyer', 'seller'] });
});
afterAll(() => stack.close());

const html =
  '<p>A winter tyre grips better on snow than any other tyre. We store your summer tyres in a dry hall until spring.</p>';

function suggest(input: object, as: SignedIn | null = seller) {
  return stack.execute(
    `query ($input: SeoSuggestionsInput!) { seoSuggestions(input: $input) { ruleset language { used }
      items { id kind value reason basis confidence validation { id rating } patch }
      unavailable { kind code message } } }`,
    { input },
    { as },
  );
}

async function suggested(input: object) {
  const { data, errors } = await suggest(input);
  expect(errors).toBeUndefined();
  return data?.seoSuggestions;
}

function putListing({ ownerId = seller.id, installationId = stack.demo.id } = {}) {
  const id = newId('listing');
  neighbour.put({
    type: 'Listing',
    id,
    installationId,
    ownerId,
    contentVersion: 1,
    content: {
      languageTag: 'en',
      visibility: 'PRIVATE',
      url: null,
      slug: null,
      title: 'Tyres',
      html,
      fields: {},
    },
  });
  return { type: 'LISTING', id };
}

/** Another object, found by a keyphrase; whether it is published can be said. */
async function putOther(keyphrase: string, visibility: 'PUBLIC' | 'PRIVATE', installation = stack.demo) {
  const as = installation === stack.demo ? seller : await stack.signIn({ roles: ['seller'], installation });
  const object = putListing({ ownerId: as.id, installationId: installation.id });
  const saved = await stack.execute(
    'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id } } }',
    { input: { object, keyphrase } },
    { as, installation },
  );
  expect(saved.errors).toBeUndefined();
  await scoped(SeoHeadModel, installation.id).insert({
    _id: headIdOf('listing', object.id),
    objectType: 'listing',
    objectId: object.id,
    ownerId: as.id,
    languageTag: 'en',
    visibility,
    url: `https://shop.test/${object.id}`,
    slug: null,
    title: 'Other',
    contentDigest: null,
    contentVersion: 1,
    deleted: false,
    updatedAt: new Date(),
  });
  return object;
}

test('a saved object gets values of every kind, and nothing is written', async () => {
  const object = putListing();
  const kinds = ['SEO_TITLE', 'META_DESCRIPTION', 'SLUG', 'KEYPHRASE', 'SCHEMA', 'SOCIAL'];
  const { result, commands } = await countCommands(() => suggested({ object, kinds }));
  expect(new Set(result.items.map(({ kind }: { kind: string }) => kind)).size).toBeGreaterThan(3);
  expect(result).toMatchObject({ ruleset: '2026.1', language: { used: 'en' } });
  expect(commands.filter((name) => name.includes(' seo_') && !name.startsWith('find'))).toEqual([]);
});

test('links lead to published objects of this installation only', async () => {
  const published = await putOther('summer tyre', 'PUBLIC');
  await putOther('dry hall', 'PRIVATE');
  await putOther('winter tyre', 'PUBLIC', stack.other);
  const { items } = await suggested({ content: html, locale: 'en', kinds: ['INTERNAL_LINKS'] });
  expect(items.map(({ value }: { value: { id: string } }) => value.id)).toEqual([published.id]);
});

test('a keyphrase of another object is not suggested', async () => {
  const ask = () => suggested({ content: html, locale: 'en', kinds: ['KEYPHRASE'], perKind: 1 });
  const [first] = (await ask()).items;
  await putOther(first.value, 'PRIVATE');
  const [second] = (await ask()).items;
  expect(second?.value).not.toBe(first.value);
});

test('the number of commands does not grow with the objects', async () => {
  const count = async () => {
    const { commands } = await countCommands(() =>
      suggested({ content: html, locale: 'en', kinds: ['INTERNAL_LINKS', 'KEYPHRASE', 'SLUG'] }),
    );
    return commands.filter((name) => name.includes(' seo_')).length;
  };
  const before = await count();
  for (const phrase of ['old barn', 'new barn', 'red barn']) await putOther(phrase, 'PUBLIC');
  expect(await count()).toBe(before);
  expect(before).toBeLessThanOrEqual(3);
});

test('wrong wishes are refused with pointers', async () => {
  const wrong = await suggest({ content: html, kinds: [], perKind: 6, exclude: ['x'.repeat(65)] });
  expect(problemOf(wrong)).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(problemOf(wrong).errors?.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '#/kinds',
    '#/perKind',
    '#/exclude/0',
  ]);
  expect(problemOf(await suggest({ kinds: ['SLUG'] }))).toMatchObject({ code: 'seo_no_content_source' });
});

test('somebody else’s object gets no suggestions', async () => {
  const object = putListing({ ownerId: newId('user') });
  expect(problemOf(await suggest({ object, kinds: ['SLUG'] }))).toMatchObject({
    status: 403,
    code: 'ownership_required',
  });
});

test('a page is described by the same members as for an analysis', () => {
  const schema = buildSchema(readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'));
  const fieldsOf = (name: string) => {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) throw new Error(`${name} is no input.`);
    return Object.values(type.getFields()).map((field) => `${field.name}: ${String(field.type)}`);
  };
  expect(fieldsOf('SeoSuggestionsInput')).toEqual(expect.arrayContaining(fieldsOf('SeoAnalysisInput')));
});
