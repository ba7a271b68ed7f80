import { product } from '../../../../test/support/product.ts';
import { openDesk, ref } from '../../fixture/openDesk.ts';
import { writeLink } from '../relation/linkRelation.ts';
import { planLink } from '../relation/planLink.ts';

const world = product();
const { people, car, link, linkCars, unlink, translate, groupOf, records, run, announceDeleted } =
  openDesk(world);
const findRecord = (objectId: string) => records().findOne({ objectId });
const findings = async () => {
  const { findings: all } = await people.editor.relationHealth({});
  return all.filter(({ code }) => code !== 'HEAD_MISSING');
};
const emptied = { groupId: null, objectGoneAt: expect.any(Date) };

test('a link whose object is deleted between its plan and its write is refused', async () => {
  const [english, french] = await linkCars('en', 'fr');
  await unlink(french);
  const context = world.stack.contextFor({ as: people.editor, installation: world.market.installation });
  await context.identify();
  const listing = (id: string) => ({ type: 'listing', id }) as const;
  const plan = await planLink({ object: listing(french), relatedTo: listing(english) }, context);
  await announceDeleted(french);
  await run('translation.erasures');
  await expect(writeLink(context, plan)).rejects.toMatchObject({ code: 'object_not_found' });
  expect(await findRecord(french)).toMatchObject({ groupId: null });
  expect(await findings()).toEqual([]);
});

test('an object whose record is erased is refused in links and as a source, although its owner still returns it', async () => {
  const [english, french] = await linkCars('en', 'fr');
  await announceDeleted(french);
  await run('translation.erasures');
  const { editor } = people;
  const missing = { object: ref(french), relatedTo: ref(english) };
  expect(await editor.linkRelation(missing)).toBeRefused(404, 'object_not_found');
  const anchored = { object: ref(english), relatedTo: ref(french) };
  expect(await editor.linkRelation(anchored)).toBeRefused(404, 'related_object_not_found');
  const creation = { source: ref(french), language: 'de' };
  expect(await editor.createTranslation(creation)).toBeRefused(404, 'object_not_found');
  expect(await findRecord(french)).toMatchObject(emptied);
});

test('a link that is created after the deletion of its object is removed by a late erasure', async () => {
  const [english] = await linkCars('en', 'de');
  const french = await car({ language: 'fr' });
  await announceDeleted(french);
  await run('translation.erasures', 'translation.object-heads');
  // The owner of the listing still returns it, as before the deletion.
  await link({ object: ref(french), relatedTo: ref(english) });
  await run('translation.erasures', 'translation.late-erasures');
  expect((await findRecord(french))?.groupId).not.toBeNull();
  expect(await findings()).toMatchObject([{ code: 'OBJECT_GONE' }]);
  world.stack.advance(31_000);
  await run('translation.late-erasures');
  expect(await findRecord(french)).toMatchObject(emptied);
  expect((await groupOf(english)).members).toHaveLength(2);
  expect(await findings()).toEqual([]);
});

test('a translation that is created after the deletion of its source is emptied by a late erasure', async () => {
  const source = await car();
  await announceDeleted(source);
  await run('translation.erasures', 'translation.object-heads');
  const { id } = await translate(source);
  world.stack.advance(31_000);
  await run('translation.late-erasures');
  expect(await findRecord(id)).toMatchObject({ ...emptied, fields: {}, status: 'archived' });
  expect(await findings()).toEqual([]);
});

test('a late erasure does not change a record that is already erased', async () => {
  const [source] = await linkCars('en', 'de');
  await announceDeleted(source);
  await run('translation.erasures');
  const before = await findRecord(source);
  expect(before).toMatchObject(emptied);
  world.stack.advance(31_000);
  await run('translation.late-erasures');
  expect(await findRecord(source)).toEqual(before);
});
