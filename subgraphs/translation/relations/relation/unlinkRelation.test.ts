import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { openDesk } from '../../fixture/openDesk.ts';

const { people, car, linkCars, unlink, groupOf, deleteCar } = openDesk(product());

test('unlinking an object ends only its membership, and a repetition is refused', async () => {
  const [source, french] = await linkCars('en', 'fr', 'de');
  const { removed, group } = await unlink(french);
  expect(removed).toMatchObject({
    ref: { objectId: french },
    groupId: null,
    languageCode: 'fr',
    status: 'PUBLISHED',
  });
  expect(group).toMatchObject({ version: 3, source: { ref: { objectId: source } } });
  expect(await unlink(french)).toBeRefused(404, 'relation_not_found');
});

test('a member can be unlinked by group and language', async () => {
  const [source, french] = await linkCars('en', 'fr');
  const input = { groupId: (await groupOf(source)).id as string, language: 'FR' };
  const answer = await people.editor.unlinkRelation(input, 'removed { ref { objectId } } group { id }');
  expect(answer).toEqual({ removed: { ref: { objectId: french } }, group: null });
  expect(await people.editor.unlinkRelation(input)).toBeRefused(404, 'relation_not_found');
});

test('the member in the default language, or else the oldest member, replaces an unlinked source', async () => {
  const [german, , english] = await linkCars('de', 'fr', 'en');
  expect((await unlink(german)).group?.source?.ref.objectId).toBe(english);
  const [source, oldest] = await linkCars('en', 'fr', 'de');
  expect((await unlink(source)).group?.source?.ref.objectId).toBe(oldest);
});

test.each([
  ['no member', {}],
  ['an incomplete object', { objectType: 'LISTING' }],
  ['a group without language', { groupId: newId('group') }],
  ['two members', { objectType: 'LISTING', objectId: 'x', groupId: newId('group'), language: 'fr' }],
] as const)('unlinking %s is refused', async (_, input) => {
  expect(await people.editor.unlinkRelation(input)).toBeRefused(400, 'malformed_request');
});

test('unlinking a missing object or one without relations is refused', async () => {
  expect(await unlink(newId('listing'))).toBeRefused(404, 'object_not_found');
  expect(await unlink(await car())).toBeRefused(404, 'relation_not_found');
});

test('an editor can unlink an object that its owner deleted, and its dealer cannot', async () => {
  const [, french] = await linkCars('en', 'fr');
  await deleteCar(french);
  expect(await unlink(french, people.dealer)).toBeRefused(404, 'object_not_found');
  expect((await unlink(french)).removed.ref.objectId).toBe(french);
});
