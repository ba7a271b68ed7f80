import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { create, health, merge, repair } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';
import { RelationGroupModel } from '../relation/model.ts';
import { PublicHeadModel } from '../translatable/publicHeads.ts';
import { type StoredTranslation, TranslationModel } from '../translation/model.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, groupOf, makeGroup } = relationsOf(() => shop);
const translations = () => scoped(TranslationModel, shop.stack.demo.id);
const groups = () => scoped(RelationGroupModel, shop.stack.demo.id);
const recordOf = async (objectId = '') => (await translations().findOne({ objectId })) as StoredTranslation;
/** Writes past every use case. */
const spoil = (objectId: string | undefined, $set: Partial<StoredTranslation>) =>
  translations().updateMany({ objectId: objectId ?? '' }, { $set });
const spoilGroup = (_id: string, $set: object) => groups().updateMany({ _id }, { $set });

/** What the owners have told of every object that there is a record of. */
async function tellOfAll(): Promise<void> {
  const records = await translations().find({});
  await scoped(PublicHeadModel, shop.stack.demo.id).insertAbsent(
    records.map(({ objectType, subjectId }) => ({
      _id: `${objectType}:${subjectId}`,
      objectType,
      objectId: subjectId,
      ownerId: null,
      languageTag: null,
      visibility: 'PUBLIC' as const,
      url: null,
      slug: null,
      title: '',
      contentDigest: null,
      contentVersion: 1,
      deleted: false,
      updatedAt: new Date(),
    })),
  );
}

/** The whole report. */
async function report(): Promise<any[]> {
  await tellOfAll();
  const { relationHealth } = await shop.ask(health);
  expect(relationHealth.next).toBeNull();
  return relationHealth.findings;
}
const codesOf = (findings: { code: string }[]) => [...new Set(findings.map(({ code }) => code))].sort();
const repaired = async (input: object = {}) => (await shop.ask(repair, { input })).repairRelations;

/** Repairs everything; the report is empty behind it. */
async function mend(...codes: string[]): Promise<void> {
  expect(codesOf(await report())).toEqual(codes);
  const { remaining, repaired: done, next } = await repaired();
  expect([remaining, next]).toEqual([[], null]);
  expect(codesOf(done)).toEqual(codes);
  expect(await report()).toEqual([]);
}

/** A group of listings in English, French and German. */
async function threeOf() {
  const [english = '', french = '', german = ''] = await makeGroup('en', 'fr', 'de');
  return { english, french, german, groupId: (await groupOf(english)).id as string };
}

describe('the report', () => {
  test('is empty when all is well, whatever was linked, merged and unlinked', async () => {
    const { groupId } = await threeOf();
    const [arabic = ''] = await makeGroup('ar', 'pt-br');
    await shop.ask(merge, { input: { fromGroupId: (await groupOf(arabic)).id, intoGroupId: groupId } });
    await shop.ask(create, { input: { source: listing(shop.listing()), language: 'de' } });
    expect(await report()).toEqual([]);
  });

  test('needs the permission over the whole installation', async () => {
    const { dealer, translator, buyer } = shop.people;
    for (const as of [dealer, buyer]) {
      expect((await shop.refuse(health, {}, { as })).code).toBe('permission_required');
      expect((await shop.refuse(repair, { input: {} }, { as })).code).toBe('permission_required');
    }
    expect((await shop.ask(health, {}, { as: translator })).relationHealth.findings).toEqual([]);
    expect((await shop.refuse(repair, { input: {} }, { as: translator })).code).toBe('permission_required');
    expect((await shop.refuse(health, { after: 'x' })).code).toBe('invalid_cursor');
  });

  test('costs the same for any number of records, each command by an index', async () => {
    await tellOfAll();
    const ofRelations = / (translations|relation_groups|translation_object_heads)$/;
    const cost = async () =>
      (await commandsOf(() => shop.ask(health))).filter((command) => ofRelations.test(command));
    const before = await cost();
    for (let count = 0; count < 5; count++) await threeOf();
    await tellOfAll();
    expect(await cost()).toEqual(before);
    const plans = await indexesOf(() => shop.ask(health));
    const own = plans.filter(({ command }) => ofRelations.test(command));
    expect(own.length).toBeGreaterThan(3);
    expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  });
});

describe('a repair', () => {
  test('elects a source where none is, and leaves one where several are', async () => {
    const { english, groupId } = await threeOf();
    await spoil(english, { isSource: false });
    await mend('SOURCE_MISSING');
    expect((await recordOf(english)).isSource).toBe(true);
    await translations().updateMany({ groupId }, { $set: { isSource: true } });
    await mend('SOURCE_TWICE');
    const sources = await translations().count({ groupId, isSource: true });
    expect(sources).toBe(1);
  });

  test('leaves nobody in a group alone', async () => {
    const { french, german, groupId } = await threeOf();
    for (const id of [french, german]) {
      const { _id } = await recordOf(id);
      await spoil(id, { groupId: null, slotKey: `~${_id}` });
    }
    await mend('GROUP_TOO_SMALL');
    expect(await groups().findOne({ _id: groupId })).toMatchObject({ closed: true });
  });

  test('writes slots again, also where two have each other’s', async () => {
    const { french, german } = await threeOf();
    const [one, two] = [await recordOf(french), await recordOf(german)];
    await spoil(french, { slotKey: 'none' });
    await spoil(german, { slotKey: one.slotKey });
    await spoil(french, { slotKey: two.slotKey });
    await mend('SLOT_WRONG');
    expect((await recordOf(french)).slotKey).toBe(one.slotKey);
    const alone = await recordOf(french);
    await spoil(french, { groupId: null, slotKey: 'none' });
    await mend('SLOT_WRONG');
    expect((await recordOf(french)).slotKey).toBe(`~${alone._id}`);
  });

  test('lets one of two in one language stay', async () => {
    const { english, french, german, groupId } = await threeOf();
    await spoil(german, { language: 'fr', slotKey: 'none' });
    await mend('LANGUAGE_TWICE', 'SLOT_WRONG');
    expect((await recordOf(german)).groupId).toBeNull();
    expect([(await recordOf(english)).groupId, (await recordOf(french)).groupId]).toEqual([groupId, groupId]);
  });

  test('makes a group again that its members name, and opens one that is closed', async () => {
    const { french, groupId } = await threeOf();
    await groups().deleteMany({ _id: groupId });
    await mend('GROUP_MISSING');
    await spoilGroup(groupId, { closed: true });
    await mend('GROUP_CLOSED');
    const { id, members } = await groupOf(french);
    expect([id, members.length]).toEqual([groupId, 3]);
  });

  test('lets members that a merge left behind follow the others', async () => {
    const { french, german, groupId } = await threeOf();
    const [survivor = ''] = await makeGroup('en', 'fr');
    const { id: mergedInto } = await groupOf(survivor);
    await spoilGroup(groupId, { closed: true, mergedInto });
    await mend('GROUP_CLOSED');
    expect((await recordOf(german)).groupId).toBe(mergedInto);
    expect((await recordOf(french)).groupId).toBeNull();
  });

  test('removes the words of what is gone, and keeps the others of its group together', async () => {
    const { english, french, german, groupId } = await threeOf();
    await tellOfAll();
    await scoped(PublicHeadModel, shop.stack.demo.id).updateMany(
      { _id: `listing:${english}` },
      { $set: { deleted: true } },
    );
    await mend('OBJECT_GONE');
    expect(await recordOf(english)).toMatchObject({ groupId: null, status: 'archived' });
    expect((await recordOf(english)).objectGoneAt).not.toBeNull();
    expect([(await recordOf(french)).groupId, (await recordOf(german)).groupId]).toEqual([groupId, groupId]);
    await spoil(english, { groupId, slotKey: `${groupId}|en` });
    await mend('OBJECT_GONE');
  });

  test('lets a translation without words wait for approval', async () => {
    const input = { source: listing(shop.listing()), language: 'de', status: 'DRAFT' };
    const { translation } = (await shop.ask(create, { input })).createTranslation;
    await spoil(translation.id, { status: 'published', liveSince: new Date() });
    await mend('LIVE_WITHOUT_WORDS');
    expect(await recordOf(translation.id)).toMatchObject({ status: 'needs_review', liveSince: null });
  });

  test('does what it is asked for alone, and leaves to people what only they can know', async () => {
    const { english, french, german } = await threeOf();
    await spoil(english, { isSource: false });
    await spoil(french, { slotKey: 'none' });
    await tellOfAll();
    await spoil(german, { language: 'xx', slotKey: (await recordOf(german)).slotKey.replace(/de$/, 'xx') });
    await scoped(PublicHeadModel, shop.stack.demo.id).deleteMany({ _id: `listing:${german}` });
    const { repaired: done, remaining } = await repaired({ codes: ['HEAD_MISSING', 'LIVE_WITHOUT_WORDS'] });
    expect(done).toEqual([]);
    expect(codesOf(remaining)).toEqual([
      'HEAD_MISSING',
      'LANGUAGE_NOT_CONFIGURED',
      'SLOT_WRONG',
      'SOURCE_MISSING',
    ]);
    const rest = (await repaired()).remaining;
    expect(rest).toMatchObject([
      { code: 'HEAD_MISSING', objectType: 'LISTING', objectId: german, repairable: false },
      { code: 'LANGUAGE_NOT_CONFIGURED', repairable: false },
    ]);
    await spoil(german, { language: 'de', slotKey: (await recordOf(german)).slotKey.replace(/xx$/, 'de') });
    expect(await report()).toEqual([]);
  });

  test('takes an object for gone only when nobody knows it', async () => {
    const unknown = newId('listing');
    const { german } = await threeOf();
    await spoil(german, { subjectId: unknown, objectId: unknown, objectKey: `listing:${unknown}` });
    const { findings } = (await shop.ask(health)).relationHealth;
    expect(findings).toContainEqual(expect.objectContaining({ code: 'OBJECT_GONE', objectId: unknown }));
    await repaired({ codes: ['OBJECT_GONE'] });
    expect(await recordOf(unknown)).toMatchObject({ groupId: null });
  });
});
