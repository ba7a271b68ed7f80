import type { LanguagesContent, TranslationContent } from '../../../schema/events.ts';
import { EventModel } from '../../platform/events/model.ts';
import { storeEvents } from '../../platform/events/storeEvents.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, unlink, write } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';
import { flagDerived } from '../translation/flagDerived.ts';
import { TranslationModel } from '../translation/model.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, groupOf } = relationsOf(() => shop);
const fields = { title: 'Bonne voiture', description: 'Roule bien' };

/** What was told of a text so far, the latest last. */
async function told(id: string): Promise<(TranslationContent | null)[]> {
  await shop.stack.runJob('translation.relay');
  const events = await EventModel.find({ 'object.id': id, type: 'translation.changed' })
    .sort({ position: 1 })
    .lean()
    .exec();
  expect(events.every(({ installationId }) => installationId === shop.stack.demo.id)).toBe(true);
  return events.map(({ payload }) => payload as TranslationContent | null);
}

async function lastOf(id: string): Promise<TranslationContent | null> {
  return (await told(id)).at(-1) ?? null;
}

async function translate(source: string, options: object = {}): Promise<string> {
  const input = { source: listing(source), language: 'fr', fields, ...options };
  return (await shop.ask(create, { input })).createTranslation.translation.id;
}

const changed = (id: string, state: object) => shop.ask(change, { input: { id, ...state } });

test('a text is told of with its published words from publishing on, and without them from taking down on', async () => {
  const source = shop.listing();
  const id = await translate(source);
  const { id: groupId } = await groupOf(source);
  expect(await told(id)).toEqual([
    {
      objectType: 'listing',
      subjectId: source,
      objectIds: [source],
      objectKey: `listing:${id}`,
      groupId,
      language: 'fr',
      languageTag: 'fr',
      origin: 'created',
      status: 'draft',
      outdated: false,
      live: false,
      texts: null,
    },
  ]);
  await changed(id, { status: 'PUBLISHED' });
  expect(await lastOf(id)).toMatchObject({ live: true, status: 'published', texts: fields });
  await changed(id, { status: 'DRAFT' });
  expect(await lastOf(id)).toMatchObject({ live: false, status: 'draft', texts: null });
  expect(await told(id)).toHaveLength(3);
});

test('words that are being worked on are in no event', async () => {
  const id = await translate(shop.listing(), { status: 'PUBLISHED' });
  const input = { id, fields: { title: 'Voiture secrète' }, expectedVersion: 1 };
  await shop.ask(write, { input });
  expect(await lastOf(id)).toMatchObject({ live: true, status: 'in_progress', texts: fields });
  expect(JSON.stringify(await told(id))).not.toContain('secrète');
});

test('a text is told of under the version of its record, which grows', async () => {
  const id = await translate(shop.listing());
  await told(id);
  await changed(id, { status: 'PUBLISHED' });
  await told(id);
  const events = await EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
  expect(events.map(({ contentVersion }) => contentVersion)).toEqual([1, 2]);
});

test('whoever joins or leaves the group of a text gets or loses it', async () => {
  const source = shop.listing();
  const id = await translate(source, { status: 'PUBLISHED' });
  const german = shop.listing({ languageTag: 'de' });
  await linked({ object: listing(german), relatedTo: listing(source) });
  expect(await lastOf(id)).toMatchObject({ objectIds: [source, german], live: true });
  await shop.ask(unlink, { input: { objectType: 'LISTING', objectId: source } });
  expect(await lastOf(id)).toMatchObject({ objectIds: [german], subjectId: source, live: true });
  await shop.ask(unlink, { input: { objectType: 'LISTING', objectId: id } });
  expect(await lastOf(id)).toMatchObject({ objectIds: [], groupId: null, live: false, texts: null });
});

test('a text whose source is unlinked from it alone is no longer live', async () => {
  const source = shop.listing();
  const id = await translate(source, { status: 'PUBLISHED' });
  await shop.ask(unlink, { input: { objectType: 'LISTING', objectId: source } });
  expect(await lastOf(id)).toMatchObject({ objectIds: [], groupId: null, live: false, texts: null });
});

test('a text whose source has changed is told to be out of date', async () => {
  const source = shop.listing();
  const id = await translate(source, { status: 'PUBLISHED' });
  const { demo, platform } = shop.stack;
  const about = { installationId: demo.id, platform, objectKey: `listing:${source}`, at: new Date() };
  await flagDerived({ ...about, digest: 'v1:other' });
  expect(await lastOf(id)).toMatchObject({ outdated: true, live: true, texts: fields });
  await flagDerived({ ...about, digest: 'v1:other' });
  expect(await told(id)).toHaveLength(2);
});

test('of the text of an object that is deleted nothing stays in the events but that it is gone', async () => {
  const source = shop.listing();
  const id = await translate(source, { status: 'PUBLISHED' });
  expect(await lastOf(id)).toMatchObject({ texts: fields });
  await storeEvents([
    {
      id: newId('group'),
      at: new Date(),
      type: 'object.deleted',
      installationId: shop.stack.demo.id,
      object: { type: 'listing', id: source },
      contentVersion: 9,
      payload: null,
    },
  ]);
  await shop.stack.runJob('translation.erasures');
  expect(await told(id)).toEqual([null]);
});

test('a linked object tells of its status, and its words stay its own', async () => {
  const [english, french] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
  await linked({ object: listing(french), relatedTo: listing(english) });
  const record = await scoped(TranslationModel, shop.stack.demo.id).findOne({ objectId: french });
  const id = record?._id ?? '';
  expect(await told(id)).toEqual([]);
  await changed(id, { status: 'DRAFT' });
  const known = { objectKey: `listing:${french}`, objectIds: [english], origin: 'linked' };
  expect(await lastOf(id)).toMatchObject({ ...known, live: false, status: 'draft', texts: null });
});

const addLanguage = /* GraphQL */ `mutation ($input: CreateLanguageInput!) {
  createLanguage(input: $input) { language { code } }
}`;

test('the languages are told of when they are made and when they change, all of them at once', async () => {
  const { id } = shop.stack.demo;
  const languages = async () => {
    await shop.stack.runJob('translation.relay');
    const events = await EventModel.find({ 'object.id': id, type: 'language.changed' })
      .sort({ position: 1 })
      .lean()
      .exec();
    return events.map(({ contentVersion, payload }) => [
      contentVersion,
      payload as unknown as LanguagesContent,
    ]);
  };
  const [[version, first] = []] = await languages();
  expect(version).toBe(1);
  expect(first).toMatchObject({ defaultCode: 'en' });
  await shop.ask(addLanguage, { input: { code: 'it', active: true } }, { as: shop.people.admin });
  const [, [later, second] = []] = await languages();
  expect(later).toBe(2);
  expect((second as LanguagesContent).languages.at(-1)).toEqual({
    code: 'it',
    languageTag: 'it',
    active: true,
    fallbacks: [],
  });
});
