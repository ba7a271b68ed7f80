import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { readGroup } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, groupOf, idsOf, makeGroup } = relationsOf(() => shop);

describe('reading a group', () => {
  test('an object alone is a group without id and with itself as member and source', async () => {
    const id = shop.listing();
    expect(await groupOf(id)).toMatchObject({
      id: null,
      version: 0,
      source: { ref: { id }, languageCode: 'en' },
      members: [
        {
          id: null,
          languageCode: 'en',
          ref: { type: 'LISTING', id },
          isSource: true,
          status: 'PUBLISHED',
          live: true,
        },
      ],
      missingCodes: ['de', 'fr', 'pt-br', 'ar'],
      createdAt: null,
    });
  });

  test('every member leads to the same group, and so does its id', async () => {
    const ids = await makeGroup('en', 'fr');
    const [first, second] = await Promise.all(ids.map(groupOf));
    expect(second).toEqual(first);
    expect(first).toMatchObject({
      version: 1,
      source: { ref: { id: ids[0] } },
      missingCodes: ['de', 'pt-br', 'ar'],
    });
    const { relationGroup } = await shop.ask(readGroup, { groupId: first.id });
    expect(relationGroup).toEqual(first);
  });

  test.each([
    ['neither', {}],
    ['both', { groupId: newId('group'), objectType: 'LISTING', objectId: newId('listing') }],
    ['half of one', { objectType: 'LISTING' }],
  ])('%s of the selectors is refused', async (_, variables) => {
    expect((await shop.refuse(readGroup, variables)).code).toBe('malformed_request');
  });

  test.each([
    [
      'an object that does not exist',
      { objectType: 'LISTING', objectId: newId('listing') },
      'object_not_found',
    ],
    ['an id of another type', { objectType: 'LISTING', objectId: newId('dealer') }, 'object_not_found'],
    ['a text that is no id', { objectType: 'LISTING', objectId: '[$ne]' }, 'object_not_found'],
    ['a group that does not exist', { groupId: newId('group') }, 'relation_not_found'],
  ])('%s is not found', async (_, variables, code) => {
    expect((await shop.refuse(readGroup, variables)).code).toBe(code);
  });

  test('a record of another installation looks like none', async () => {
    const id = shop.listing({ installationId: shop.stack.other.id });
    const problem = await shop.refuse(readGroup, { objectType: 'LISTING', objectId: id });
    expect(problem.code).toBe('object_not_found');
  });

  test('own breadth reads own objects, and the members that readers see; strangers nothing', async () => {
    const own = shop.listing();
    const foreign = shop.listing({ languageTag: 'fr', ownerId: newId('dealer') });
    const hidden = shop.listing({ languageTag: 'de', ownerId: newId('dealer'), visibility: 'PRIVATE' });
    await linked({ object: listing(foreign), relatedTo: listing(own) });
    await linked({ object: listing(hidden), relatedTo: listing(own) });
    const variables = { objectType: 'LISTING', objectId: own };
    const seen = async (as: any) => (await shop.ask(readGroup, variables, { as })).relationGroup;
    expect(idsOf(await seen(shop.people.editor))).toEqual([own, hidden, foreign]);
    const group = await seen(shop.people.dealer);
    expect(idsOf(group)).toEqual([own, foreign]);
    expect(group.missingCodes).not.toContain('de');
    // Of what is not his he sees what readers see, nothing of the work on it.
    expect(group.members[1]).toMatchObject({ live: true, status: null, outdated: null });
    const refusal = async (as: any) => (await shop.refuse(readGroup, variables, { as })).code;
    expect(await refusal(shop.people.rival)).toBe('ownership_required');
    expect(await refusal(shop.people.buyer)).toBe('permission_required');
    expect(await refusal(null)).toBe('token_missing');
    const byId = { groupId: group.id };
    expect((await shop.refuse(readGroup, byId, { as: shop.people.rival })).code).toBe('ownership_required');
  });

  test('languages that readers do not get are listed for those alone who may read all of them', async () => {
    const variables = { objectType: 'LISTING', objectId: shop.listing() };
    const query = `query ($objectType: TranslatableType, $objectId: ID) {
      relationGroup(objectType: $objectType, objectId: $objectId) { missingLanguages(scope: ALL) { code } } }`;
    const { relationGroup } = await shop.ask(query, variables);
    expect(relationGroup.missingLanguages).toContainEqual({ code: 'nl' });
    const refused = await shop.refuse(query, variables, { as: shop.people.dealer });
    expect(refused.code).toBe('permission_required');
  });
});
