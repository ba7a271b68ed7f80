import { EventModel } from '../../platform/events/model.ts';
import { storeEvents } from '../../platform/events/storeEvents.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { chooseSource, create, merge, unlink } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';
import { RelationGroupModel } from '../relation/model.ts';
import { collecting } from './collecting.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, groupOf, makeGroup } = relationsOf(() => shop);

/** What was told of a group so far: the version, and the objects that it concerns. */
async function told(id: string): Promise<[number, string[]][]> {
  await shop.stack.runJob('translation.relay');
  const events = await EventModel.find({ 'object.id': id, type: 'relation.changed' })
    .sort({ position: 1 })
    .lean()
    .exec();
  expect(events.every(({ installationId }) => installationId === shop.stack.demo.id)).toBe(true);
  return events.map(({ contentVersion, payload }) => [
    contentVersion,
    (payload as unknown as { objectKeys: string[] }).objectKeys
      .map((key) => key.replace('listing:', ''))
      .sort(),
  ]);
}

test('links, unlinks and choices of a source are told once each, with all whom they concern', async () => {
  const [english = '', french = ''] = await makeGroup('en', 'fr');
  const { id } = await groupOf(english);
  expect(await told(id)).toEqual([[1, [english, french].sort()]]);
  const german = shop.listing({ languageTag: 'de' });
  await linked({ object: listing(german), groupId: id });
  await linked({ object: listing(german), groupId: id });
  const everybody = [english, french, german].sort();
  expect((await told(id)).slice(1)).toEqual([[2, everybody]]);
  await shop.ask(chooseSource, { input: { groupId: id, object: listing(french) } });
  await shop.ask(unlink, { input: { objectType: 'LISTING', objectId: german } });
  expect((await told(id)).slice(2).map(([, ids]) => ids)).toEqual([everybody, everybody]);
  await shop.ask(unlink, { input: { objectType: 'LISTING', objectId: french } });
  expect((await told(id)).at(-1)?.[1]).toEqual([english, french].sort());
  expect(await told(id)).toHaveLength(5);
  expect((await scoped(RelationGroupModel, shop.stack.demo.id).findOne({ _id: id }))?.outbox ?? []).toEqual(
    [],
  );
});

test('whoever is woken to tell waits for what comes next, whoever looks again does not', async () => {
  const runs: (ReadonlySet<string> | undefined)[] = [];
  const job = collecting(
    { name: 'test', everyMs: 1000, run: async ({ wokenBy }) => void runs.push(wokenBy) },
    1,
  );
  const { signal } = new AbortController();
  const { platform } = shop.stack;
  const start = (wokenBy?: ReadonlySet<string>) =>
    job.run({ platform, fence: 1, signal, wokenBy, assertHeld: async () => undefined });
  const unasked = start();
  expect(runs).toEqual([undefined]);
  const woken = start(new Set(['outbox']));
  expect(runs).toHaveLength(1);
  await Promise.all([unasked, woken]);
  expect(runs).toEqual([undefined, new Set(['outbox'])]);
});

test('a merge is told of both groups, a translation of the group that it joins', async () => {
  const [staying, leaving] = [await makeGroup('en', 'fr'), await makeGroup('de', 'ar')];
  const [into, from] = [await groupOf(staying[0] ?? ''), await groupOf(leaving[0] ?? '')];
  await shop.ask(merge, { input: { fromGroupId: from.id, intoGroupId: into.id } });
  expect((await told(from.id)).at(-1)?.[1]).toEqual(leaving.toSorted());
  const everybody = [...staying, ...leaving];
  expect((await told(into.id)).at(-1)?.[1]).toEqual(everybody.toSorted());
  const input = { source: listing(staying[0] ?? ''), language: 'pt-br' };
  const { translation } = (await shop.ask(create, { input })).createTranslation;
  expect((await told(into.id)).at(-1)?.[1]).toEqual([...everybody, translation.id as string].toSorted());
});

test('a refused change tells nothing', async () => {
  const [english = ''] = await makeGroup('en', 'fr');
  const { id } = await groupOf(english);
  const before = await told(id);
  const late = { object: listing(shop.listing({ languageTag: 'fr' })), groupId: id };
  await expect(linked(late)).rejects.toThrow('language_taken');
  expect(await told(id)).toEqual(before);
});

test('an object that is deleted leaves its group, which is told to those who stay', async () => {
  const [english = '', french = '', german = ''] = await makeGroup('en', 'fr', 'de');
  const { id } = await groupOf(english);
  await storeEvents([
    {
      id: newId('group'),
      at: new Date(),
      type: 'object.deleted',
      installationId: shop.stack.demo.id,
      object: { type: 'listing', id: english },
      contentVersion: 9,
      payload: null,
    },
  ]);
  for (let time = 0; time < 2; time++) await shop.stack.runJob('translation.erasures');
  expect((await told(id)).at(-1)?.[1]).toEqual([english, french, german].sort());
  expect(await told(id)).toHaveLength(3);
  const { source, members } = await groupOf(french);
  expect(source.ref.id).toBe(french);
  expect(members).toHaveLength(2);
});
