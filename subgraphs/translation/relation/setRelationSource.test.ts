import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { chooseSource } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, groupOf, makeGroup } = relationsOf(() => shop);
const chosen = async (input: object, as = shop.people.editor) =>
  (await shop.ask(chooseSource, { input }, { as })).setRelationSource;
const refused = async (input: object, as = shop.people.editor) =>
  (await shop.refuse(chooseSource, { input }, { as })).code;
const sourcesOf = (group: any) => group.members.filter(({ isSource }: any) => isSource);

describe('choosing a source', () => {
  test('makes one member the source and the former one a translation in step; a repetition changes nothing', async () => {
    const [english = '', french = ''] = await makeGroup('en', 'fr', 'de');
    const { id: groupId } = await groupOf(english);
    const { changed, group } = await chosen({ groupId, object: listing(french) });
    expect(changed).toBe(true);
    expect(group).toMatchObject({ version: 3, source: { ref: { id: french } } });
    expect(sourcesOf(group)).toMatchObject([{ ref: { id: french } }]);
    const former = group.members.find(({ ref }: any) => ref.id === english);
    expect(former).toMatchObject({ isSource: false, outdated: false, status: 'PUBLISHED' });
    const again = await chosen({ groupId, object: listing(french) });
    expect(again).toMatchObject({ changed: false, group: { version: 3 } });
  });

  test('the former source is outdated once the new one is rewritten', async () => {
    const [english = '', french = ''] = await makeGroup('en', 'fr');
    const { id: groupId } = await groupOf(english);
    await chosen({ groupId, object: listing(french) });
    shop.listing({ id: french, languageTag: 'fr', title: 'Neuf' });
    const { members } = await groupOf(english);
    expect(members.find(({ ref }: any) => ref.id === english).outdated).toBe(true);
  });

  test('only a member can be it, of a group that is there, at the version that was read', async () => {
    const [english = '', french = ''] = await makeGroup('en', 'fr');
    const { id: groupId } = await groupOf(english);
    const object = listing(french);
    expect(await refused({ groupId: newId('group'), object })).toBe('relation_not_found');
    expect(await refused({ groupId, object: listing(newId('listing')) })).toBe('object_not_found');
    expect(await refused({ groupId, object: listing(shop.listing()) })).toBe('relation_not_found');
    expect(await refused({ groupId, object, expectedVersion: 4 })).toBe('precondition_failed');
    expect((await chosen({ groupId, object, expectedVersion: 1 })).changed).toBe(true);
  });

  test('own breadth needs the member and the present source', async () => {
    const { dealer, rival } = shop.people;
    const [english = ''] = await makeGroup('en', 'fr');
    const { id: groupId } = await groupOf(english);
    const foreign = shop.listing({ languageTag: 'de', ownerId: newId('dealer') });
    await linked({ object: listing(foreign), groupId });
    expect(await refused({ groupId, object: listing(foreign) }, dealer)).toBe('ownership_required');
    expect(await refused({ groupId, object: listing(english) }, rival)).toBe('ownership_required');
    await chosen({ groupId, object: listing(foreign) });
    expect(await refused({ groupId, object: listing(english) }, dealer)).toBe('ownership_required');
  });

  test('of many choices at once one is the source in the end', async () => {
    const ids = await makeGroup('en', 'fr', 'de', 'ar');
    const { id: groupId } = await groupOf(ids[0] ?? '');
    await Promise.all(ids.map((id) => chosen({ groupId, object: listing(id) })));
    expect(sourcesOf(await groupOf(ids[0] ?? ''))).toHaveLength(1);
  });
});
