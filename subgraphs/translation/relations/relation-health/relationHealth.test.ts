import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { openDesk } from '../../fixture/openDesk.ts';
import { ObjectHeadModel } from '../../objects/objectHeads.ts';
import { RelationGroupModel } from '../../records/memberships/model.ts';
import type { StoredTranslation } from '../../records/model.ts';
import type { RelationFindingCode } from '../../translation.generated.ts';

const world = product();
const { people, car, linkCars, translate, groupOf, groupIdOf, records, run } = openDesk(world);
const groups = () => world.market.records(RelationGroupModel);
const heads = () => world.market.records(ObjectHeadModel);
const settle = () => run('identity.relay', 'translation.object-heads');

const recordOf = async (objectId: string) => (await records().findOne({ objectId })) as StoredTranslation;
/** Changes a record without an operation. */
const spoil = (objectId: string, $set: Partial<StoredTranslation>) =>
  records().updateMany({ objectId }, { $set });

/** All findings. */
async function report() {
  await settle();
  const { findings, next } = await people.editor.relationHealth({});
  expect(next).toBeNull();
  return findings;
}
const codesOf = (findings: readonly { code: Wire<RelationFindingCode> }[]) =>
  [...new Set(findings.map(({ code }) => code))].sort();
const repair = (codes: Wire<RelationFindingCode>[] | null = null) => people.editor.repairRelations({ codes });

/** Expects these findings, repairs them and expects none. */
async function expectRepaired(...codes: Wire<RelationFindingCode>[]): Promise<void> {
  expect(codesOf(await report())).toEqual(codes);
  const { remaining, repaired, next } = await repair();
  expect([remaining, next, codesOf(repaired)]).toEqual([[], null, codes]);
  expect(await report()).toEqual([]);
}

/** Creates a group of listings in English, French and German. */
async function openGroup() {
  const [english, french, german] = await linkCars('en', 'fr', 'de');
  return { english, french, german, groupId: await groupIdOf(english) };
}

describe('the report', () => {
  test('the report is empty after links, merges and translations', async () => {
    const { groupId: intoGroupId } = await openGroup();
    const [arabic] = await linkCars('ar', 'pt-br');
    await people.editor.mergeRelationGroups({ fromGroupId: await groupIdOf(arabic), intoGroupId });
    await translate(await car(), { language: 'de' });
    expect(await report()).toEqual([]);
    expect(await people.editor.relationHealth({ after: 'x' })).toBeRefused(400, 'invalid_cursor');
  });

  test('sends the same commands for any number of records, each of which uses an index', async () => {
    await settle();
    const ofRelations = / (?:translations|relation_groups|translation_object_heads)$/;
    const read = () => people.editor.relationHealth({});
    const cost = async () => (await commandsOf(read)).filter((command) => ofRelations.test(command));
    const before = await cost();
    for (let count = 0; count < 3; count++) await openGroup();
    await settle();
    expect(await cost()).toEqual(before);
    const plans = (await indexesOf(read)).filter(({ command }) => ofRelations.test(command));
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  });
});

describe('a repair', () => {
  test('selects a source if a group has none, and keeps one if it has several', async () => {
    const { english, groupId } = await openGroup();
    await spoil(english, { isSource: false });
    await expectRepaired('SOURCE_MISSING');
    expect((await recordOf(english)).isSource).toBe(true);
    await records().updateMany({ groupId }, { $set: { isSource: true } });
    await expectRepaired('SOURCE_TWICE');
    expect(await records().count({ groupId, isSource: true })).toBe(1);
  });

  test('a repair closes a group of one member', async () => {
    const { french, german, groupId } = await openGroup();
    for (const id of [french, german])
      await spoil(id, { groupId: null, slotKey: `~${(await recordOf(id))._id}` });
    await expectRepaired('GROUP_TOO_SMALL');
    expect(await groups().findOne({ _id: groupId })).toMatchObject({ closed: true });
  });

  test('restores slots, also if two members have exchanged theirs', async () => {
    const { french, german } = await openGroup();
    const [one, two] = [await recordOf(french), await recordOf(german)];
    await spoil(french, { slotKey: 'none' });
    await spoil(german, { slotKey: one.slotKey });
    await spoil(french, { slotKey: two.slotKey });
    await expectRepaired('SLOT_WRONG');
    expect((await recordOf(french)).slotKey).toBe(one.slotKey);
    await spoil(french, { groupId: null, slotKey: 'none' });
    await expectRepaired('SLOT_WRONG');
    expect((await recordOf(french)).slotKey).toBe(`~${one._id}`);
  });

  test('removes one of two members with the same language', async () => {
    const { english, french, german, groupId } = await openGroup();
    await spoil(german, { language: 'fr', slotKey: 'none' });
    await expectRepaired('LANGUAGE_TWICE', 'SLOT_WRONG');
    const left = [english, french, german].map(async (id) => (await recordOf(id)).groupId);
    expect(await Promise.all(left)).toEqual([groupId, groupId, null]);
  });

  test('restores a missing group and opens a closed one', async () => {
    const { french, groupId } = await openGroup();
    await groups().deleteMany({ _id: groupId });
    await expectRepaired('GROUP_MISSING');
    await groups().updateMany({ _id: groupId }, { $set: { closed: true } });
    await expectRepaired('GROUP_CLOSED');
    const { id, members } = await groupOf(french);
    expect([id, members.length]).toEqual([groupId, 3]);
  });

  test('moves members that remained in a merged group', async () => {
    const { french, german, groupId } = await openGroup();
    const [survivor] = await linkCars('en', 'fr');
    const mergedInto = await groupIdOf(survivor);
    await groups().updateMany({ _id: groupId }, { $set: { closed: true, mergedInto } });
    await expectRepaired('GROUP_CLOSED');
    expect([(await recordOf(german)).groupId, (await recordOf(french)).groupId]).toEqual([mergedInto, null]);
  });

  test('removes the texts of a deleted object and keeps the other members of its group', async () => {
    const { english, french, german, groupId } = await openGroup();
    await settle();
    await heads().updateMany({ _id: `listing:${english}` }, { $set: { deleted: true } });
    await expectRepaired('OBJECT_GONE');
    const gone = { groupId: null, status: 'archived', objectGoneAt: expect.any(Date) };
    expect(await recordOf(english)).toMatchObject(gone);
    expect([(await recordOf(french)).groupId, (await recordOf(german)).groupId]).toEqual([groupId, groupId]);
    await spoil(english, { groupId, slotKey: `${groupId}|en` });
    await expectRepaired('OBJECT_GONE');
  });

  test('moves a published translation without texts to review', async () => {
    const { id } = await translate(await car(), { language: 'de', fields: null });
    await spoil(id, { status: 'published', liveSince: new Date() });
    await expectRepaired('LIVE_WITHOUT_WORDS');
    expect(await recordOf(id)).toMatchObject({ status: 'needs_review', liveSince: null });
  });

  test('repairs only the requested codes, and reports findings that need a decision', async () => {
    const { english, french, german } = await openGroup();
    await spoil(english, { isSource: false });
    await spoil(french, { slotKey: 'none' });
    await settle();
    const { slotKey } = await recordOf(german);
    await spoil(german, { language: 'xx', slotKey: slotKey.replace(/de$/, 'xx') });
    await heads().deleteMany({ _id: `listing:${german}` });
    const { repaired, remaining } = await repair(['HEAD_MISSING', 'LIVE_WITHOUT_WORDS']);
    expect(repaired).toEqual([]);
    const undecided = ['HEAD_MISSING', 'LANGUAGE_NOT_CONFIGURED'] as const;
    expect(codesOf(remaining)).toEqual([...undecided, 'SLOT_WRONG', 'SOURCE_MISSING']);
    expect((await repair()).remaining).toMatchObject([
      { code: 'HEAD_MISSING', objectType: 'LISTING', objectId: german, repairable: false },
      { code: 'LANGUAGE_NOT_CONFIGURED', repairable: false },
    ]);
    await spoil(german, { language: 'de', slotKey });
  });

  test('treats an object as deleted if its owner does not have it', async () => {
    const unknown = newId('listing');
    const { german } = await openGroup();
    await spoil(german, { subjectId: unknown, objectId: unknown, objectKey: `listing:${unknown}` });
    const { findings } = await people.editor.relationHealth({});
    expect(findings).toContainEqual(expect.objectContaining({ code: 'OBJECT_GONE', objectId: unknown }));
    await repair(['OBJECT_GONE']);
    expect(await recordOf(unknown)).toMatchObject({ groupId: null });
  });
});
