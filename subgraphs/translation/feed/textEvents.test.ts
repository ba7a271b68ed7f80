import type { TranslationContent } from '../../../schema/events.ts';
import { product } from '../../../test/support/product.ts';
import { EventModel } from '../../platform/events/model.ts';
import { french, openDesk, ref } from '../fixture/openDesk.ts';
import { flagDerived } from '../records/flagDerived.ts';

const world = product();
const { people, car, link, unlink, translate, change, write, records, run, announceDeleted } =
  openDesk(world);
const published = { status: 'PUBLISHED' } as const;
const withdrawn = { objectIds: [], groupId: null, live: false, texts: null };

/** Events about a text or the languages, in their order. */
async function eventsOf(id: string, type: 'translation.changed' | 'language.changed') {
  await run('translation.relay');
  return EventModel.find({ 'object.id': id, type }).sort({ position: 1 }).lean().exec();
}
async function payloadsOf(id: string): Promise<(TranslationContent | null)[]> {
  const events = await eventsOf(id, 'translation.changed');
  return events.map(({ payload }) => payload as TranslationContent | null);
}
const lastOf = async (id: string) => (await payloadsOf(id)).at(-1) ?? null;

test('events contain the texts of a translation from its publication until it is taken down', async () => {
  const source = await car();
  const { id, groupId } = await translate(source);
  expect(await payloadsOf(id)).toEqual([
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
  await change({ id, status: 'PUBLISHED' });
  expect(await lastOf(id)).toMatchObject({ live: true, status: 'published', texts: french });
  await change({ id, status: 'DRAFT' });
  expect(await lastOf(id)).toMatchObject({ live: false, status: 'draft', texts: null });
  const events = await eventsOf(id, 'translation.changed');
  expect(events.map(({ contentVersion }) => contentVersion)).toEqual([1, 2, 3]);
});

test('events do not contain unpublished changes of a text', async () => {
  const { id } = await translate(await car(), published);
  await write({ id, fields: { title: 'Voiture secrète' }, expectedVersion: 1 });
  expect(await lastOf(id)).toMatchObject({ live: true, status: 'in_progress', texts: french });
  expect(JSON.stringify(await payloadsOf(id))).not.toContain('secrète');
});

test('events of a text contain the objects that join its group, and not those that leave it', async () => {
  const source = await car();
  const { id } = await translate(source, published);
  const german = await car({ language: 'de' });
  await link({ object: ref(german), relatedTo: ref(source) });
  expect(await lastOf(id)).toMatchObject({ objectIds: [source, german], live: true });
  await unlink(source);
  expect(await lastOf(id)).toMatchObject({ objectIds: [german], subjectId: source, live: true });
  await unlink(id);
  expect(await lastOf(id)).toMatchObject(withdrawn);
});

test('a text is published as not live after its source was unlinked', async () => {
  const source = await car();
  const { id } = await translate(source, published);
  await unlink(source);
  expect(await lastOf(id)).toMatchObject(withdrawn);
});

test('a text whose source changes is published once as outdated', async () => {
  const source = await car();
  const { id } = await translate(source, published);
  const { stack, market } = world;
  const about = { installationId: market.installation.id, platform: stack.platform, at: new Date() };
  for (let time = 0; time < 2; time++)
    await flagDerived({ ...about, objectKey: `listing:${source}`, digest: 'v1:other' });
  expect(await lastOf(id)).toMatchObject({ outdated: true, live: true, texts: french });
  expect(await payloadsOf(id)).toHaveLength(2);
});

test('events do not contain the texts of a deleted object', async () => {
  const source = await car();
  const { id } = await translate(source, published);
  expect(await lastOf(id)).toMatchObject({ texts: french });
  await announceDeleted(source);
  await run('translation.erasures');
  expect(await payloadsOf(id)).toEqual([null]);
});

test('events of a linked object contain its status and no text', async () => {
  const [english, other] = [await car(), await car({ language: 'fr' })];
  await link({ object: ref(other), relatedTo: ref(english) });
  const id = (await records().findOne({ objectId: other }))?._id ?? '';
  expect(await payloadsOf(id)).toEqual([]);
  await change({ id, status: 'DRAFT' });
  const known = { objectKey: `listing:${other}`, objectIds: [english], origin: 'linked' };
  expect(await lastOf(id)).toMatchObject({ ...known, live: false, status: 'draft', texts: null });
});

test('all languages are published when they are configured and when one is added', async () => {
  const languages = () => eventsOf(world.market.installation.id, 'language.changed');
  expect(await languages()).toMatchObject([{ contentVersion: 1, payload: { defaultCode: 'en' } }]);
  await people.admin.createLanguage({ code: 'it', active: true });
  const italian = { code: 'it', languageTag: 'it', active: true, fallbacks: [] };
  const payload = { languages: expect.arrayContaining([italian]) };
  expect((await languages())[1]).toMatchObject({ contentVersion: 2, payload });
});
