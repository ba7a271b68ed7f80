import { storeEvents } from '../../platform/events/storeEvents.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { create, health, unlink } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';
import { TranslationModel } from '../translation/model.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { link } from './link.ts';
import { planLink } from './planLink.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, groupOf } = relationsOf(() => shop);

const tellDeleted = (id: string) =>
  storeEvents([
    {
      id: newId('group'),
      at: new Date(),
      type: 'object.deleted',
      installationId: shop.stack.demo.id,
      object: { type: 'listing', id },
      contentVersion: 9,
      payload: null,
    },
  ]);
const run = (...jobs: string[]) =>
  jobs.reduce((before, job) => before.then(() => shop.stack.runJob(job)), Promise.resolve());
const findRecord = (objectId: string) => scoped(TranslationModel, shop.stack.demo.id).findOne({ objectId });
const findings = async (): Promise<{ code: string }[]> =>
  (await shop.ask(health)).relationHealth.findings.filter(
    ({ code }: { code: string }) => code !== 'HEAD_MISSING',
  );

test('a link of objects with records, one of which is deleted before it is written, is refused', async () => {
  const [english, french] = ['en', 'fr'].map((languageTag) => shop.listing({ languageTag })) as [
    string,
    string,
  ];
  await linked({ object: listing(french), relatedTo: listing(english) });
  await shop.ask(unlink, { input: { objectType: 'LISTING', objectId: french } });
  const context = shop.stack.contextFor({ as: shop.people.editor });
  await context.identify();
  const named = (id: string) => ({ type: 'LISTING' as const, id });
  const plan = await planLink(context, { object: named(french), relatedTo: named(english) });
  await tellDeleted(french);
  await run('translation.erasures');
  const late = inRelationTransaction((session, isFirst) =>
    link({ context, session, now: new Date() }, plan, isFirst),
  );
  await expect(late).rejects.toMatchObject({ code: 'object_not_found' });
  expect(await findRecord(french)).toMatchObject({ groupId: null });
  expect(await findings()).toEqual([]);
});

test('a link that crossed the deletion of its object is taken back when every request of that time has ended', async () => {
  const [english, german, french] = ['en', 'de', 'fr'].map((languageTag) => shop.listing({ languageTag }));
  await linked({ object: listing(german ?? ''), relatedTo: listing(english ?? '') });
  await tellDeleted(french ?? '');
  await run('translation.erasures', 'translation.object-heads');
  // Its owner was asked before: what the test's owner still says.
  await linked({ object: listing(french ?? ''), relatedTo: listing(english ?? '') });
  await run('translation.erasures', 'translation.late-erasures');
  expect((await findRecord(french ?? ''))?.groupId).not.toBeNull();
  expect(await findings()).toMatchObject([{ code: 'OBJECT_GONE' }]);
  shop.stack.advance(31_000);
  await run('translation.late-erasures');
  expect(await findRecord(french ?? '')).toMatchObject({ groupId: null, objectGoneAt: expect.any(Date) });
  expect((await groupOf(english ?? '')).members).toHaveLength(2);
  expect(await findings()).toEqual([]);
});

test('a translation that crossed the deletion of its source is emptied', async () => {
  const source = shop.listing();
  await tellDeleted(source);
  await run('translation.erasures', 'translation.object-heads');
  const fields = { title: 'Bonne voiture', description: 'Roule bien' };
  const input = { source: listing(source), language: 'fr', fields };
  const { id } = (await shop.ask(create, { input })).createTranslation.translation;
  shop.stack.advance(31_000);
  await run('translation.late-erasures');
  expect(await findRecord(id)).toMatchObject({ groupId: null, fields: {}, status: 'archived' });
  expect(await findings()).toEqual([]);
});

test('what was put in order by the first look is not touched by the second one', async () => {
  const source = shop.listing();
  await linked({ object: listing(shop.listing({ languageTag: 'de' })), relatedTo: listing(source) });
  await tellDeleted(source);
  await run('translation.erasures');
  const before = await findRecord(source);
  shop.stack.advance(31_000);
  await run('translation.late-erasures');
  expect(await findRecord(source)).toEqual(before);
});
