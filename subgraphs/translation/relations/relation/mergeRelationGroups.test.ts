import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { group as groupMembers, idsOf, openDesk, ref } from '../../fixture/openDesk.ts';
import type { MergeRelationGroupsInput } from '../../translation.generated.ts';

const world = product();
const { people, car, rivalCar, link, linkCars, unlink, groupOf, groupIdOf } = openDesk(world);
const merge = (input: Wire<MergeRelationGroupsInput>, as = people.editor) =>
  as.mergeRelationGroups(
    input,
    `merged group { ${groupMembers} }
     conflicts { languageCode from { ref { objectId } } into { ref { objectId } } }`,
  );

/** Creates two groups that can be merged. Returns their members, beginning with the source. */
async function openGroups() {
  const [staying, leaving] = [await linkCars('en', 'fr'), await linkCars('de', 'pt-br')];
  const input = { intoGroupId: await groupIdOf(staying[0]), fromGroupId: await groupIdOf(leaving[0]) };
  return { staying, leaving, input };
}

test('a merge moves all members to one group, which keeps its source', async () => {
  const { staying, leaving, input } = await openGroups();
  const { merged, group, conflicts } = await merge(input);
  expect([merged, conflicts]).toEqual([true, []]);
  expect(group).toMatchObject({
    id: input.intoGroupId,
    version: 2,
    source: { ref: { objectId: staying[0] } },
  });
  expect(idsOf(group)).toEqual([staying[0], leaving[0], staying[1], leaving[1]]);
  expect(group.missingCodes).toEqual(['ar']);
  expect(group.members.filter(({ isSource }) => isSource)).toHaveLength(1);
  // The former source is linked to the new one, up to date with it.
  expect(group.members.every(({ outdated }) => outdated === false)).toBe(true);
});

test('the id of a merged group finds its successor after several merges', async () => {
  let { input } = await openGroups();
  const first = input.fromGroupId;
  await merge(input);
  for (let round = 0; round < 3; round++) {
    // Two members stay, so that the next group has room for them.
    const fromGroupId = input.intoGroupId;
    const { members } = await people.editor.relationGroup({ groupId: fromGroupId }, groupMembers);
    for (const { ref, languageCode } of members)
      if (languageCode !== 'en' && languageCode !== 'de') await unlink(ref.objectId);
    input = { fromGroupId, intoGroupId: await groupIdOf((await linkCars('ar', 'nl'))[0]) };
    expect((await merge(input)).merged).toBe(true);
    const found = await people.editor.relationGroup({ groupId: first }, 'id mergedFrom');
    expect(found).toEqual({ id: input.intoGroupId, mergedFrom: first });
  }
});

test('a repeated merge changes nothing, and objects can join by the former id', async () => {
  const { input } = await openGroups();
  await merge(input);
  const { intoGroupId: id } = input;
  const unchanged = { merged: false, conflicts: [], group: { id, version: 2 } };
  for (const dryRun of [true, false]) expect(await merge({ ...input, dryRun })).toMatchObject(unchanged);
  const arabic = ref(await car({ language: 'ar' }));
  const { group } = await link({ object: arabic, groupId: input.fromGroupId });
  expect(group).toMatchObject({ id, version: 3 });
});

test('a dry run of a merge returns the outcome and changes nothing', async () => {
  const { staying, leaving, input } = await openGroups();
  const { merged, group, conflicts } = await merge({ ...input, dryRun: true });
  expect([merged, conflicts]).toEqual([false, []]);
  expect(group).toMatchObject({
    id: input.intoGroupId,
    version: 1,
    source: { ref: { objectId: staying[0] } },
  });
  expect(idsOf(group)).toEqual([staying[0], leaving[0], staying[1], leaving[1]]);
  expect(idsOf(await groupOf(leaving[0]))).toEqual(leaving);
  expect(idsOf(await groupOf(staying[0]))).toEqual(staying);
});

test('a merge of groups with the same languages is refused with the conflicts, and no member moves', async () => {
  const [staying, leaving] = [await linkCars('en', 'fr', 'de'), await linkCars('de', 'fr', 'ar')];
  const input = { intoGroupId: await groupIdOf(staying[0]), fromGroupId: await groupIdOf(leaving[0]) };
  const conflict = { ...input, languages: ['de', 'fr'] };
  expect(await merge(input)).toBeRefused(409, 'merge_conflict', { conflict });
  const { conflicts, group } = await merge({ ...input, dryRun: true });
  expect(conflicts).toEqual([
    { languageCode: 'de', from: { ref: { objectId: leaving[0] } }, into: { ref: { objectId: staying[2] } } },
    { languageCode: 'fr', from: { ref: { objectId: leaving[1] } }, into: { ref: { objectId: staying[1] } } },
  ]);
  expect(idsOf(group)).toContain(leaving[2]);
  expect(await groupIdOf(leaving[2])).toBe(input.fromGroupId);
});

test('a merge of a group with itself, a missing group or a group of another type is refused', async () => {
  const { input } = await openGroups();
  const { intoGroupId } = input;
  expect(await merge({ fromGroupId: intoGroupId, intoGroupId })).toBeRefused(422, 'self_relation');
  for (const missing of [newId('group'), await car()]) {
    expect(await merge({ ...input, fromGroupId: missing })).toBeRefused(404, 'relation_not_found');
    expect(await merge({ ...input, intoGroupId: missing })).toBeRefused(404, 'relation_not_found');
  }
  const source = { type: 'DEALER', id: (await world.market.dealer()).id } as const;
  const { translation } = await people.editor.createTranslation({ source, language: 'de' });
  const fromGroupId = translation.groupId as string;
  expect(await merge({ fromGroupId, intoGroupId })).toBeRefused(422, 'object_type_mismatch');
});

test('a dealer can merge only own members into a group with an own source', async () => {
  const { input } = await openGroups();
  expect(await merge(input, people.rival)).toBeRefused(403, 'ownership_required');
  await link({ object: ref(await rivalCar({ language: 'ar' })), groupId: input.fromGroupId });
  for (const dryRun of [true, false])
    expect(await merge({ ...input, dryRun }, people.dealer)).toBeRefused(403, 'ownership_required');
  const back = { fromGroupId: input.intoGroupId, intoGroupId: input.fromGroupId };
  expect((await merge(back, people.dealer)).merged).toBe(true);
});
