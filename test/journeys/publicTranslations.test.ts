import { eraseUser } from '../../subgraphs/identity/account-deletion/eraseUser.ts';
import { UserModel } from '../../subgraphs/identity/user/model.ts';
import { EventModel } from '../../subgraphs/platform/events/model.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import { SeoHeadModel } from '../../subgraphs/seo/object/heads.ts';
import { SeoRecordModel } from '../../subgraphs/seo/record/model.ts';
import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { PublicHeadModel } from '../../subgraphs/translation/translatable/publicHeads.ts';
import { TranslationModel } from '../../subgraphs/translation/translation/model.ts';
import { commandsOf } from '../support/commandsOf.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { type SeededDealer, type SeededInstallation, type SeededUser, seed } from '../support/seed.ts';

let app: TestApp;
let shop: SeededInstallation;
let garage: SeededDealer;
let editor: SeededUser;
let moderator: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  const { stack } = app;
  await createLanguageSettings(stack.demo, {
    languages: [{ code: 'en' }, { code: 'de' }, { code: 'fr' }],
  });
  shop = await seed(stack).in(stack.demo);
  garage = await shop.dealer();
  editor = await shop.staff('editor');
  moderator = await shop.staff('moderator');
});
afterAll(() => app.close());

/** Everything that happened becomes known everywhere. */
async function settle(): Promise<void> {
  for (const job of [
    'identity.relay',
    'translation.object-heads',
    'seo.object-heads',
    'translation.erasures',
    'seo.erasures',
  ])
    await app.stack.runJob(job);
}

async function ask(query: string, variables: object = {}, as?: { token: string }) {
  const { json } = await app.send({
    method: 'POST',
    path: '/graphql',
    body: { query, variables },
    ...(as && { token: as.token }),
  });
  return json;
}
async function must(query: string, variables: object, as?: { token: string }) {
  const { data, errors } = await ask(query, variables, as);
  expect(errors).toBeUndefined();
  return data;
}

const create = /* GraphQL */ `mutation ($input: CreateTranslationInput!) {
  createTranslation(input: $input) { translation { id } }
}`;
const fields = { title: 'Bonne voiture', description: 'Roule très bien, un seul propriétaire.' };
const translate = (id: string, options: object = {}) =>
  must(
    create,
    { input: { source: { type: 'LISTING', id }, language: 'fr', status: 'PUBLISHED', fields, ...options } },
    editor,
  );

const texts = /* GraphQL */ `language { code }
  translation(language: "fr") { matchedCode strategy translation { languageCode live url fields { title description } } }
  alternates { hreflang href }`;
const one = `query ($id: ID!) { catalogListing(listingId: $id) { id languageTag ${texts} } }`;
const read = async (id: string, as?: { token: string }) => (await must(one, { id }, as)).catalogListing;
const base = 'http://demo.localhost';

test('a stranger reads a listing in his language, with links between its pages', async () => {
  const { id, slug } = await garage.listing({ published: true });
  await translate(id);
  await settle();
  const expected = {
    id,
    languageTag: 'en',
    language: { code: 'en' },
    translation: {
      matchedCode: 'fr',
      strategy: 'EXACT',
      translation: { languageCode: 'fr', live: true, url: `${base}/fr/listings/${slug}`, fields },
    },
    alternates: [
      { hreflang: 'en', href: `${base}/listings/${slug}` },
      { hreflang: 'fr', href: `${base}/fr/listings/${slug}` },
      { hreflang: 'x-default', href: `${base}/listings/${slug}` },
    ],
  };
  expect(await read(id)).toEqual(expected);
  for (const as of [await shop.user(), garage.owner, editor]) expect(await read(id, as)).toEqual(expected);
});

test('what is not live is not read, and a listing alone is read as it is', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id, { status: 'DRAFT' });
  await settle();
  expect(await read(id)).toMatchObject({
    translation: { matchedCode: 'en', strategy: 'DEFAULT_LANGUAGE', translation: { fields: null } },
    alternates: [],
  });
});

test('the editors’ view is theirs: 401 for strangers, 403 for others', async () => {
  const { id } = await garage.listing({ published: true });
  await translate(id, { status: 'DRAFT' });
  await settle();
  const editorial = /* GraphQL */ `query ($id: ID!) {
    catalogListing(listingId: $id) { title translation(language: "fr", view: EDITORIAL) { translation { status fields { title } } } }
  }`;
  const refused = async (as?: { token: string }) => {
    const { data, errors } = await ask(editorial, { id }, as);
    expect(data.catalogListing).toMatchObject({ translation: null });
    return errors[0].extensions.problem.code;
  };
  expect(await refused()).toBe('token_missing');
  expect(await refused(await shop.user())).toBe('permission_required');
  expect(await refused((await shop.dealer()).owner)).toBe('ownership_required');
  for (const as of [editor, garage.owner])
    expect((await must(editorial, { id }, as)).catalogListing.translation).toEqual({
      translation: { status: 'DRAFT', fields: { title: fields.title } },
    });
});

test('a text of somebody who is barred is linked and read nowhere, until he is back', async () => {
  const other = await shop.dealer();
  const [english, german] = [
    await garage.listing({ published: true }),
    await other.listing({ published: true, language: 'de' }),
  ];
  const link = `mutation ($input: LinkRelationInput!) { linkRelation(input: $input) { created } }`;
  const object = (id: string) => ({ type: 'LISTING', id });
  await must(link, { input: { object: object(german.id), relatedTo: object(english.id) } }, editor);
  await settle();
  expect((await read(english.id)).alternates.map(({ hreflang }: any) => hreflang)).toContain('de');
  const decide = (field: string, input: object) =>
    must(
      `mutation ($input: ${field[0]?.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { dealer { id } } }`,
      { input: { dealerId: other.id, ...input } },
      moderator,
    );
  await decide('suspendDealer', { reason: 'Papers are missing' });
  await settle();
  expect((await read(english.id)).alternates).toEqual([]);
  await decide('reinstateDealer', {});
  await settle();
  expect((await read(english.id)).alternates.map(({ hreflang }: any) => hreflang)).toContain('de');
});

test('a page of listings costs the same commands as one listing, and asks no owner', async () => {
  const many = await shop.dealer();
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1) {
    const { id } = await many.listing({ published: true });
    ids.push(id);
    await translate(id);
  }
  await settle();
  const page = `query ($first: Int!) { catalogListings(dealerId: "${many.id}", first: $first) { nodes { id ${texts} } } }`;
  const cost = async (first: number) => {
    let nodes: unknown[] = [];
    const commands = await commandsOf(async () => {
      nodes = (await must(page, { first })).catalogListings.nodes;
    });
    expect(nodes).toHaveLength(first);
    return commands.filter((command) => / translation/.test(command));
  };
  const single = await cost(1);
  expect(single).toEqual([
    'find translation_object_heads',
    'find translations',
    'find translations',
    'find translations',
  ]);
  expect(await cost(12)).toEqual(single);
});

test('an event that comes late does not undo a newer one', async () => {
  const { id } = await garage.listing({ published: true });
  await settle();
  const heads = scoped(PublicHeadModel, app.stack.demo.id);
  const newer = { contentVersion: 99, title: 'Newer' };
  await heads.findOneAndUpdate({ _id: `listing:${id}` }, { $set: newer });
  const update = 'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }';
  await must(update, { input: { listingId: id, title: 'Older than that' } }, garage.owner);
  await settle();
  expect(await heads.findOne({ _id: `listing:${id}` })).toMatchObject(newer);
  expect(await scoped(SeoHeadModel, app.stack.demo.id).findOne({ _id: `listing:${id}` })).toMatchObject({
    title: 'Older than that',
    visibility: 'PUBLIC',
    ownerId: garage.id,
  });
});

test('of an erased person’s listing no word is kept in any subgraph, and its group goes on without it', async () => {
  const { stack } = app;
  const anna = await shop.user();
  const mine = await anna.listing({ published: true, title: 'Violin of Anna' });
  const others = await garage.listing({ published: true, language: 'de' });
  await translate(mine.id, { fields: { ...fields, title: 'Violon d’Anna' } });
  const link = `mutation ($input: LinkRelationInput!) { linkRelation(input: $input) { created } }`;
  const object = (id: string) => ({ type: 'LISTING', id });
  await must(link, { input: { object: object(others.id), relatedTo: object(mine.id) } }, editor);
  const seo = 'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id } } }';
  await must(seo, { input: { object: object(mine.id), keyphrase: 'violin of anna' } }, editor);
  await settle();
  await scoped(UserModel, stack.demo.id).findOneAndUpdate(
    { _id: anna.id },
    { $set: { state: 'unverified' } },
  );
  const erasure = { platform: stack.platform, installationId: stack.demo.id, userId: anna.id, job: 'test' };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  await settle();
  for (const model of [PublicHeadModel, SeoHeadModel, TranslationModel, SeoRecordModel]) {
    const stored = JSON.stringify(await scoped(model as typeof TranslationModel, stack.demo.id).find({}));
    expect(stored).not.toMatch(/violin|violon/i);
  }
  expect(JSON.stringify(await EventModel.find({ 'object.id': mine.id }).lean())).not.toContain('Violin');
  const members = await scoped(TranslationModel, stack.demo.id).find({ subjectId: mine.id });
  expect(members).toHaveLength(2);
  for (const member of members) expect(member).toMatchObject({ groupId: null, liveSince: null, note: null });
  const left = await scoped(TranslationModel, stack.demo.id).findOne({ subjectId: others.id });
  expect(left).toMatchObject({ groupId: null, objectGoneAt: null });
  await settle();
});
