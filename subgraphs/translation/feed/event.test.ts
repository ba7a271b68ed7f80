import { product } from '../../../test/support/product.ts';
import { EventModel } from '../../platform/events/model.ts';
import { openDesk, ref } from '../fixture/openDesk.ts';
import { RelationGroupModel } from '../records/memberships/model.ts';
import { collecting } from './collecting.ts';

const world = product();
const { people, car, link, linkCars, unlink, translate, groupOf, groupIdOf, run, announceDeleted } =
  openDesk(world);

/** Versions of a group in the events about it, each with the sorted ids of the objects that it concerns. */
async function eventsOf(groupId: string): Promise<[number, string[]][]> {
  await run('translation.relay');
  const events = await EventModel.find({ 'object.id': groupId, type: 'relation.changed' })
    .sort({ position: 1 })
    .lean()
    .exec();
  return events.map(({ contentVersion, payload }) => {
    const { objectKeys } = payload as unknown as { objectKeys: string[] };
    return [contentVersion, objectKeys.map((key) => key.replace('listing:', '')).sort()];
  });
}
const lastIdsOf = async (groupId: string) => (await eventsOf(groupId)).at(-1)?.[1];

test('each link, change of the source and unlink is published once with all affected objects', async () => {
  const [english, french] = await linkCars('en', 'fr');
  const groupId = await groupIdOf(english);
  expect(await eventsOf(groupId)).toEqual([[1, [english, french].sort()]]);
  const german = await car({ language: 'de' });
  for (let time = 0; time < 2; time++) await link({ object: ref(german), groupId });
  const all = [english, french, german].sort();
  expect((await eventsOf(groupId)).slice(1)).toEqual([[2, all]]);
  await people.editor.setRelationSource({ groupId, object: ref(french) });
  await unlink(german);
  expect((await eventsOf(groupId)).slice(2).map(([, ids]) => ids)).toEqual([all, all]);
  await unlink(french);
  expect(await lastIdsOf(groupId)).toEqual([english, french].sort());
  expect(await eventsOf(groupId)).toHaveLength(5);
  const stored = await world.market.records(RelationGroupModel).findOne({ _id: groupId });
  expect(stored?.outbox ?? []).toEqual([]);
});

test('a relay that a signal starts waits for further events, and a scheduled one does not', async () => {
  const runs: (ReadonlySet<string> | undefined)[] = [];
  const record = async ({ signaledBy }: { signaledBy?: ReadonlySet<string> | undefined }) =>
    void runs.push(signaledBy);
  const job = collecting({ name: 'test', everyMs: 1000, run: record }, 1);
  const { signal } = new AbortController();
  const { platform } = world.stack;
  const start = (signaledBy?: ReadonlySet<string>) =>
    job.run({ platform, fence: 1, signal, signaledBy, assertHeld: async () => undefined });
  const scheduled = start();
  expect(runs).toEqual([undefined]);
  const signaled = start(new Set(['outbox']));
  expect(runs).toHaveLength(1);
  await Promise.all([scheduled, signaled]);
  expect(runs).toEqual([undefined, new Set(['outbox'])]);
});

test('a merge is published for both groups, and a translation for its group', async () => {
  const [staying, leaving] = [await linkCars('en', 'fr'), await linkCars('de', 'ar')];
  const intoGroupId = await groupIdOf(staying[0]);
  const fromGroupId = await groupIdOf(leaving[0]);
  await people.editor.mergeRelationGroups({ fromGroupId, intoGroupId });
  expect(await lastIdsOf(fromGroupId)).toEqual(leaving.toSorted());
  const all = [...staying, ...leaving];
  expect(await lastIdsOf(intoGroupId)).toEqual(all.toSorted());
  const { id } = await translate(staying[0], { language: 'pt-br' });
  expect(await lastIdsOf(intoGroupId)).toEqual([...all, id].toSorted());
});

test('a refused change is not published', async () => {
  const [english] = await linkCars('en', 'fr');
  const groupId = await groupIdOf(english);
  const before = await eventsOf(groupId);
  const late = { object: ref(await car({ language: 'fr' })), groupId };
  expect(await link(late)).toBeRefused(409, 'language_taken');
  expect(await eventsOf(groupId)).toEqual(before);
});

test('a deleted object leaves its group, which is published for the remaining members', async () => {
  const ids = await linkCars('en', 'fr', 'de');
  const [english, french] = ids;
  const groupId = await groupIdOf(english);
  await announceDeleted(english);
  for (let time = 0; time < 2; time++) await run('translation.erasures');
  expect(await lastIdsOf(groupId)).toEqual(ids.toSorted());
  expect(await eventsOf(groupId)).toHaveLength(3);
  const { source, members } = await groupOf(french);
  expect([source?.ref.objectId, members.length]).toEqual([french, 2]);
});
