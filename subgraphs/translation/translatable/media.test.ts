import { storeEvents } from '../../platform/events/storeEvents.ts';
import { toObjectContent } from '../../platform/events/toObjectContent.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { assignLanguage, link, readGroup, write } from '../fixture/operations.ts';
import { TranslationModel } from '../translation/model.ts';
import { PublicHeadModel } from './publicHeads.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const create = /* GraphQL */ `mutation ($input: CreateTranslationInput!) {
  createTranslation(input: $input) { translation { id groupId languageCode live object { __typename } fields { altText title } } }
}`;
const named = (id: string, language?: string) => ({ type: 'MEDIA', id, ...(language ? { language } : {}) });
const file = (options: object = {}) => shop.listing({ type: 'Media', title: 'A red car', ...options });
const input = (id: string, options: object = {}) => ({
  source: named(id),
  language: 'fr',
  fields: { altText: 'Une voiture rouge' },
  status: 'PUBLISHED',
  ...options,
});
const translate = async (id: string, options: object = {}) =>
  (await shop.ask(create, { input: input(id, options) })).createTranslation.translation;
const entity = async (selection: string, id: string, as = shop.people.buyer) => {
  const source = `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on Media { ${selection} } } }`;
  return (await shop.ask(source, { ids: [{ __typename: 'Media', id }] }, { as }))._entities[0];
};
const run = async (...jobs: string[]) => {
  for (const job of jobs) await shop.stack.runJob(job);
};
let versions = 1;
/** The owner tells what it answers of a file, or that it is gone. */
const tell = async (id: string, type: 'object.created' | 'object.updated' | 'object.deleted') => {
  const { ownerId, content } = shop.neighbour.get(id);
  versions += 1;
  const base = {
    id: newId('group'),
    at: new Date(),
    installationId: shop.stack.demo.id,
    object: { type: 'media' as const, id },
    contentVersion: versions,
  };
  await storeEvents([
    type === 'object.deleted'
      ? { ...base, type, payload: null }
      : { ...base, type, payload: toObjectContent(ownerId, content) },
  ]);
  await run('translation.object-heads', 'translation.outdated', 'translation.erasures');
};

test('readers get the words of a picture in their language; it has no page to link to', async () => {
  const id = file();
  expect(await translate(id)).toMatchObject({
    languageCode: 'fr',
    live: true,
    object: { __typename: 'Media' },
    fields: { altText: 'Une voiture rouge', title: null },
  });
  const found = await entity(
    `language { code } translations { languageCode fields { altText } } alternates { href }
     translation(language: "fr") { strategy translation { fields { altText } url } }`,
    id,
  );
  const fields = { altText: 'Une voiture rouge' };
  expect(found).toEqual({
    language: { code: 'en' },
    translations: [{ languageCode: 'fr', fields }],
    alternates: [],
    translation: { strategy: 'EXACT', translation: { fields, url: null } },
  });
});

test('a picture has one text, and no other field', async () => {
  const codes = async (fields: object) =>
    (await shop.refuse(create, { input: input(file(), { fields }) })).errors?.map(({ code }) => code);
  expect(await codes({ title: 'Voiture' })).toEqual(['unknown_field']);
  expect(await codes({ altText: 'x'.repeat(501) })).toEqual(['too_long']);
  const { code } = await shop.refuse(create, { input: input(file(), { fields: {} }) });
  expect(code).toBe('content_incomplete');
});

test('its words are in the default language until somebody says another one', async () => {
  const [english, french] = [file(), file({ title: 'Une voiture rouge' })];
  const { group } = (
    await shop.ask(link, { input: { object: named(french, 'fr'), relatedTo: named(english) } })
  ).linkRelation;
  expect(group.members).toMatchObject([
    { ref: { id: english }, languageCode: 'en', isSource: true },
    { ref: { id: french }, languageCode: 'fr', isSource: false },
  ]);
  const other = file();
  await shop.ask(assignLanguage, { input: { object: named(other), language: 'de' } });
  expect((await entity('language { code }', other)).language.code).toBe('de');
  const again = { input: { object: named(file(), 'fr'), relatedTo: named(english) } };
  expect((await shop.refuse(link, again)).code).toBe('language_taken');
});

test('a file and a listing do not say the same', async () => {
  const refused = await shop.refuse(link, {
    input: { object: named(file(), 'fr'), relatedTo: { type: 'LISTING', id: shop.listing() } },
  });
  expect(refused.code).toBe('object_type_mismatch');
});

test('work on a file is its owner’s and the staff’s', async () => {
  const { id } = await translate(file(), { status: 'DRAFT' });
  const edit = { input: { id, expectedVersion: 1, fields: { altText: 'Rouge' } } };
  expect((await shop.refuse(write, edit, { as: shop.people.rival })).code).toBe('ownership_required');
  expect((await shop.refuse(write, edit, { as: shop.people.buyer })).code).toBe('permission_required');
  await shop.ask(write, edit, { as: shop.people.translator });
  const own = file({ visibility: 'PRIVATE' });
  const group = { objectType: 'MEDIA', objectId: own };
  expect((await shop.refuse(readGroup, group, { as: shop.people.rival })).code).toBe('ownership_required');
  const { relationGroup } = await shop.ask(readGroup, group, { as: shop.people.dealer });
  expect(relationGroup.members).toMatchObject([{ ref: { type: 'MEDIA', id: own, url: null } }]);
});

describe('what the owner tells of files', () => {
  beforeEach(async () => {
    for (const model of [TranslationModel, PublicHeadModel])
      await model.collection.deleteMany({ installationId: shop.stack.demo.id });
  });
  const list = /* GraphQL */ `query ($filter: TranslationFilter) {
    translations(filter: $filter) { nodes { ref { type id } languageCode } totalCount }
    translationCoverage(objectType: MEDIA) { language { code } total live missing outdated }
  }`;
  const cell = async (code: string) =>
    (
      await shop.ask(list, { filter: { objectType: 'MEDIA', missing: true, language: code } })
    ).translationCoverage.find(({ language }: any) => language.code === code);

  test('is counted and listed as work; a file without words has none to be translated', async () => {
    const [red, silent] = [file(), file({ title: '' })];
    for (const id of [red, silent]) await tell(id, 'object.created');
    const filter = { objectType: 'MEDIA', missing: true, language: 'fr' };
    const { translations } = await shop.ask(list, { filter });
    expect(translations).toEqual({
      nodes: [{ ref: { type: 'MEDIA', id: red }, languageCode: 'en' }],
      totalCount: '1',
    });
    expect(await cell('en')).toMatchObject({ total: 1, live: 1, missing: 0 });
    const { id } = await translate(red);
    expect(await cell('fr')).toMatchObject({ live: 1, missing: 0 });
    const work = await shop.ask(list, { filter: { objectType: 'MEDIA', language: 'fr' } });
    expect(work.translations.nodes.map(({ ref }: any) => ref.id)).toContain(id);
  });

  test('a linked picture in another language is one of the same thing, not another thing', async () => {
    const [english, german] = [file(), file()];
    for (const id of [english, german]) await tell(id, 'object.created');
    expect([await cell('en'), await cell('de')]).toMatchObject([
      { total: 2, missing: 0 },
      { total: 2, missing: 2 },
    ]);
    await shop.ask(link, { input: { object: named(german, 'de'), relatedTo: named(english) } });
    expect([await cell('en'), await cell('de')]).toMatchObject([
      { total: 1, missing: 0 },
      { total: 1, missing: 0 },
    ]);
  });

  test('other words outdate what was made from them', async () => {
    const id = file();
    const made = await translate(id);
    file({ id, title: 'A blue car' });
    await tell(id, 'object.updated');
    const found = await scoped(TranslationModel, shop.stack.demo.id).findOne({ _id: made.id });
    expect(found?.outdated).toBe(true);
  });

  test('a deleted file leaves nothing of its words', async () => {
    const id = file();
    const made = await translate(id);
    await tell(id, 'object.deleted');
    const records = await scoped(TranslationModel, shop.stack.demo.id).find({ subjectId: id });
    expect(records).toHaveLength(2);
    for (const record of records)
      expect(record).toMatchObject({ groupId: null, objectGoneAt: expect.any(Date), fields: {} });
    expect(records.find(({ _id }) => _id === made.id)).toMatchObject({ status: 'archived' });
  });
});
