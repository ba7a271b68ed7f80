import { commandsOf } from '../../../test/support/commandsOf.ts';
import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { link, merge, readGroup } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, groupOf, idsOf, makeGroup } = relationsOf(() => shop);
const merged = async (input: object, as = shop.people.editor) =>
  (await shop.ask(merge, { input }, { as })).mergeRelationGroups;
const refused = (input: object, as = shop.people.editor) => shop.refuse(merge, { input }, { as });
const groupIdOf = async (id = '') => (await groupOf(id)).id as string;

/** Two groups that can be merged, and the ids of their members, the sources first. */
async function twoGroups() {
  const staying = await makeGroup('en', 'fr');
  const leaving = await makeGroup('de', 'pt-br');
  const [intoGroupId, fromGroupId] = [await groupIdOf(staying[0]), await groupIdOf(leaving[0])];
  return { staying, leaving, input: { fromGroupId, intoGroupId } };
}

describe('merging', () => {
  test('makes two groups one, with the source of the one that stays', async () => {
    const { staying, leaving, input } = await twoGroups();
    const { group, conflicts, ...answer } = await merged(input);
    expect(answer.merged).toBe(true);
    expect(conflicts).toEqual([]);
    expect(group).toMatchObject({ id: input.intoGroupId, version: 2, source: { ref: { id: staying[0] } } });
    expect(idsOf(group)).toEqual([staying[0], leaving[0], staying[1], leaving[1]]);
    expect(group.missingCodes).toEqual(['ar']);
    expect(group.members.filter(({ isSource }: any) => isSource)).toHaveLength(1);
    // The former source is linked to the new one, in step with it.
    expect(group.members.every(({ outdated }: any) => outdated === false)).toBe(true);
  });

  test('leaves the old id leading to the group, through any number of merges', async () => {
    let { input } = await twoGroups();
    const first = input.fromGroupId;
    await merged(input);
    for (let round = 0; round < 3; round++) {
      // What was merged is emptied down to two, so that the next group has room for it.
      const next = await makeGroup('ar', 'nl');
      const [intoGroupId, now] = [await groupIdOf(next[0]), input.intoGroupId];
      const { relationGroup } = await shop.ask(readGroup, { groupId: now });
      for (const { ref, languageCode } of relationGroup.members) {
        if (languageCode === 'en' || languageCode === 'de') continue;
        await shop.ask(
          `mutation ($input: UnlinkRelationInput!) { unlinkRelation(input: $input) { __typename } }`,
          {
            input: { objectType: 'LISTING', objectId: ref.id },
          },
        );
      }
      input = { fromGroupId: now, intoGroupId };
      await merged(input);
      const commands = await commandsOf(async () => {
        const { relationGroup: found } = await shop.ask(readGroup, { groupId: first });
        expect(found).toMatchObject({ id: intoGroupId, mergedFrom: first });
      });
      expect(commands.filter((command) => command === 'find relation_groups')).toHaveLength(2);
    }
  });

  test('a repetition changes nothing, and objects join by the old id', async () => {
    const { input } = await twoGroups();
    await merged(input);
    const again = await merged(input);
    expect(again).toMatchObject({ merged: false, group: { id: input.intoGroupId, version: 2 } });
    const arabic = shop.listing({ languageTag: 'ar' });
    const { group } = await linked({ object: listing(arabic), groupId: input.fromGroupId });
    expect(group).toMatchObject({ id: input.intoGroupId, version: 3 });
  });

  test('a dry run shows what would come of it, and changes nothing', async () => {
    const { staying, leaving, input } = await twoGroups();
    const plan = await merged({ ...input, dryRun: true });
    expect(plan).toMatchObject({
      merged: false,
      conflicts: [],
      group: { id: input.intoGroupId, version: 1 },
    });
    expect(idsOf(plan.group)).toEqual([staying[0], leaving[0], staying[1], leaving[1]]);
    expect(plan.group.source.ref.id).toBe(staying[0]);
    expect(idsOf(await groupOf(leaving[0] ?? ''))).toEqual(leaving);
    expect(idsOf(await groupOf(staying[0] ?? ''))).toEqual(staying);
    await merged(input);
    expect(await merged({ ...input, dryRun: true })).toMatchObject({ merged: false, conflicts: [] });
  });

  test('languages that both have stand in the way: all of them are named, and nobody moves', async () => {
    const staying = await makeGroup('en', 'fr', 'de');
    const leaving = await makeGroup('de', 'fr', 'ar');
    const [intoGroupId, fromGroupId] = [await groupIdOf(staying[0]), await groupIdOf(leaving[0])];
    expect(await refused({ fromGroupId, intoGroupId })).toMatchObject({
      code: 'merge_conflict',
      conflict: { fromGroupId, intoGroupId, languages: ['de', 'fr'] },
    });
    const { conflicts, group } = await merged({ fromGroupId, intoGroupId, dryRun: true });
    expect(conflicts).toEqual([
      { languageCode: 'de', from: { ref: { id: leaving[0] } }, into: { ref: { id: staying[2] } } },
      { languageCode: 'fr', from: { ref: { id: leaving[1] } }, into: { ref: { id: staying[1] } } },
    ]);
    expect(idsOf(group)).toContain(leaving[2]);
    expect(await groupIdOf(leaving[2])).toBe(fromGroupId);
  });

  test('a version that the group no longer has is refused before the languages are looked at', async () => {
    const { input } = await twoGroups();
    expect((await refused({ ...input, expectedVersion: 7 })).code).toBe('precondition_failed');
    expect((await merged({ ...input, expectedVersion: 1 })).merged).toBe(true);
    expect((await refused({ ...input, expectedVersion: 1 })).code).toBe('precondition_failed');
  });

  test('a group with itself, groups of two types, and groups that are not there are refused', async () => {
    const { input } = await twoGroups();
    const { intoGroupId } = input;
    expect((await refused({ fromGroupId: intoGroupId, intoGroupId })).code).toBe('self_relation');
    for (const missing of [newId('group'), '[$ne]', shop.listing()]) {
      expect((await refused({ ...input, fromGroupId: missing })).code).toBe('relation_not_found');
      expect((await refused({ ...input, intoGroupId: missing })).code).toBe('relation_not_found');
    }
    const dealers = ['de', 'ar'].map((languageTag) => shop.listing({ type: 'Dealer', languageTag }));
    const [object, relatedTo] = dealers.map((id) => ({ type: 'DEALER', id }));
    const { linkRelation } = await shop.ask(link, { input: { object, relatedTo } });
    const fromGroupId = linkRelation.group.id;
    expect((await refused({ fromGroupId, intoGroupId })).code).toBe('object_type_mismatch');
  });

  test('own breadth moves own objects alone, to a group whose source is its own', async () => {
    const { dealer, rival } = shop.people;
    const { input } = await twoGroups();
    expect((await refused(input, rival)).code).toBe('ownership_required');
    const foreign = shop.listing({ languageTag: 'ar', ownerId: newId('dealer') });
    await linked({ object: listing(foreign), groupId: input.fromGroupId });
    for (const dryRun of [true, false])
      expect((await refused({ ...input, dryRun }, dealer)).code).toBe('ownership_required');
    const back = { fromGroupId: input.intoGroupId, intoGroupId: input.fromGroupId };
    expect((await merged(back, dealer)).merged).toBe(true);
  });

  test('costs the same number of commands for any number of members', async () => {
    const cost = async (...languages: string[]) => {
      const [staying, leaving] = [await makeGroup('en', 'fr'), await makeGroup(...languages)];
      const input = {
        fromGroupId: await groupIdOf(leaving[0]),
        intoGroupId: await groupIdOf(staying[0]),
      };
      const commands = await commandsOf(() => merged(input));
      return commands.filter((command) => / (translations|relation_groups)$/.test(command));
    };
    expect(await cost('de', 'ar', 'nl', 'pt-br')).toEqual(await cost('de', 'ar'));
  });
});
