import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { idsOf, openDesk, ref } from '../../fixture/openDesk.ts';

const { people, car, rivalCar, link, linkCars, groupOf } = openDesk(product());

test('an object without relations is a group without an id, with itself as member and source', async () => {
  const id = await car();
  const self = { languageCode: 'en', ref: { type: 'LISTING', objectId: id }, isSource: true };
  expect(await groupOf(id)).toMatchObject({
    id: null,
    version: 0,
    source: { ref: { objectId: id }, languageCode: 'en' },
    members: [{ ...self, id: null, status: 'PUBLISHED', live: true }],
    missingCodes: ['de', 'fr', 'pt-br', 'ar'],
    createdAt: null,
  });
});

test('a group is found by each of its members and by its id', async () => {
  const [english, french] = await linkCars('en', 'fr');
  const first = await groupOf(english);
  expect(await groupOf(french)).toEqual(first);
  expect(first).toMatchObject({ version: 1, source: { ref: { objectId: english } } });
  expect(first.missingCodes).toEqual(['de', 'pt-br', 'ar']);
  const byId = await people.editor.relationGroup(
    { groupId: first.id as string },
    'id members { ref { objectId } }',
  );
  expect([byId.id, idsOf(byId)]).toEqual([first.id, [english, french]]);
});

test.each([
  ['no selector', {}, 400, 'malformed_request'],
  ['two selectors', { groupId: 'grp_x', objectType: 'LISTING', objectId: 'x' }, 400, 'malformed_request'],
  ['an incomplete selector', { objectType: 'LISTING' }, 400, 'malformed_request'],
  ['an id of another type', { objectType: 'LISTING', objectId: newId('dealer') }, 404, 'object_not_found'],
  ['the id of a missing group', { groupId: newId('group') }, 404, 'relation_not_found'],
] as const)('reading a group by %s is refused', async (_, variables, status, code) => {
  expect(await people.editor.relationGroup(variables, 'id')).toBeRefused(status, code);
});

test('a dealer sees neither hidden members of other dealers nor editorial fields of their public members', async () => {
  const [own, foreign] = [await car(), await rivalCar({ language: 'fr' })];
  const hidden = await rivalCar({ language: 'de' });
  for (const id of [foreign, hidden]) await link({ object: ref(id), relatedTo: ref(own) });
  await people.rival.pauseListing({ listingId: hidden });
  expect(idsOf(await groupOf(own))).toEqual([own, hidden, foreign]);
  const seen = await groupOf(own, people.dealer);
  expect(idsOf(seen)).toEqual([own, foreign]);
  expect(seen.missingCodes).not.toContain('de');
  expect(seen.members[1]).toMatchObject({ live: true, status: null, outdated: null });
});

test('inactive languages are listed as missing only for readers of the whole installation', async () => {
  const variables = { objectType: 'LISTING', objectId: await car() } as const;
  const missing = 'missingLanguages(scope: ALL) { code }';
  const { missingLanguages } = await people.editor.relationGroup(variables, missing);
  expect(missingLanguages).toContainEqual({ code: 'nl' });
  expect(await people.dealer.relationGroup(variables, missing)).toBeRefused(403, 'permission_required');
});
