import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { unlink } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, refused, groupOf, makeGroup } = relationsOf(() => shop);

describe('unlinking', () => {
  const unlinked = async (input: object, as = shop.people.editor) =>
    (await shop.ask(unlink, { input }, { as })).unlinkRelation;

  test('ends the membership and nothing else; a repetition says that there is none', async () => {
    const [source = '', french = ''] = await makeGroup('en', 'fr', 'de');
    const input = { objectType: 'LISTING', objectId: french };
    const { removed, group } = await unlinked(input);
    expect(removed).toMatchObject({
      ref: { id: french },
      groupId: null,
      languageCode: 'fr',
      status: 'PUBLISHED',
    });
    expect(group).toMatchObject({ version: 3, source: { ref: { id: source } } });
    expect((await shop.refuse(unlink, { input })).code).toBe('relation_not_found');
  });

  test('names a member by group and language too', async () => {
    const [source = '', french] = await makeGroup('en', 'fr');
    const { id: groupId } = await groupOf(source);
    const { removed, group } = await unlinked({ groupId, language: 'FR' });
    expect(removed.ref.id).toBe(french);
    expect(group).toBeNull();
    expect((await shop.refuse(unlink, { input: { groupId, language: 'fr' } })).code).toBe(
      'relation_not_found',
    );
  });

  test('gives a group that loses its source the member in the default language, else the oldest', async () => {
    const [german = '', french, english] = await makeGroup('de', 'fr', 'en');
    const first = await unlinked({ objectType: 'LISTING', objectId: german });
    expect(first.group.source.ref.id).toBe(english);
    const [source = '', oldest] = await makeGroup('en', 'fr', 'de');
    const second = await unlinked({ objectType: 'LISTING', objectId: source });
    expect(second.group.source.ref.id).toBe(oldest);
    expect(french).toBeDefined();
  });

  test.each([
    ['nothing', {}],
    ['half an object', { objectType: 'LISTING' }],
    ['a group without language', { groupId: newId('group') }],
    [
      'two selectors',
      { objectType: 'LISTING', objectId: newId('listing'), groupId: newId('group'), language: 'fr' },
    ],
  ])('%s names no membership', async (_, input) => {
    expect((await shop.refuse(unlink, { input })).code).toBe('malformed_request');
  });

  test('of an object that does not exist, or is alone, is not found', async () => {
    const gone = { objectType: 'LISTING', objectId: newId('listing') };
    expect((await shop.refuse(unlink, { input: gone })).code).toBe('object_not_found');
    const alone = { objectType: 'LISTING', objectId: shop.listing() };
    expect((await shop.refuse(unlink, { input: alone })).code).toBe('relation_not_found');
  });

  test('honours the version of the group', async () => {
    const [, french = ''] = await makeGroup('en', 'fr');
    const input = { objectType: 'LISTING', objectId: french, expectedVersion: 9 };
    expect((await shop.refuse(unlink, { input })).code).toBe('precondition_failed');
    expect((await unlinked({ ...input, expectedVersion: 1 })).group).toBeNull();
  });

  test('removes an object whose owner has deleted it, for those whose reach is the installation', async () => {
    const [, french = ''] = await makeGroup('en', 'fr');
    shop.neighbour.remove(french);
    const input = { objectType: 'LISTING', objectId: french };
    expect((await shop.refuse(unlink, { input }, { as: shop.people.dealer })).code).toBe('object_not_found');
    expect((await unlinked(input)).removed.ref.id).toBe(french);
  });
});

describe('rights', () => {
  test.each(['translator', 'buyer'] as const)('the %s links and unlinks nothing', async (name) => {
    const as = shop.people[name];
    const [a, b] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
    expect((await refused({ object: listing(b), relatedTo: listing(a) }, as)).code).toBe(
      'permission_required',
    );
    const input = { objectType: 'LISTING', objectId: a };
    expect((await shop.refuse(unlink, { input }, { as })).code).toBe('permission_required');
  });

  test('a dealer links his own objects, and no foreign one on either side', async () => {
    const [own, french] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
    const foreign = shop.listing({ languageTag: 'de', ownerId: newId('dealer') });
    const as = shop.people.dealer;
    expect((await linked({ object: listing(french), relatedTo: listing(own) }, as)).created).toBe(true);
    expect((await refused({ object: listing(foreign), relatedTo: listing(own) }, as)).code).toBe(
      'ownership_required',
    );
    const other = shop.listing({ languageTag: 'pt-BR' });
    expect((await refused({ object: listing(other), relatedTo: listing(foreign) }, as)).code).toBe(
      'ownership_required',
    );
  });

  test('a group belongs to the owner of its source', async () => {
    const foreign = shop.listing({ ownerId: newId('dealer') });
    const own = shop.listing({ languageTag: 'fr' });
    await linked({ object: listing(own), relatedTo: listing(foreign) });
    const as = shop.people.dealer;
    const german = shop.listing({ languageTag: 'de' });
    expect((await refused({ object: listing(german), relatedTo: listing(own) }, as)).code).toBe(
      'ownership_required',
    );
    const input = { objectType: 'LISTING', objectId: own };
    expect((await shop.refuse(unlink, { input }, { as })).code).toBe('ownership_required');
  });

  test('nobody puts out a member that is not his', async () => {
    const source = shop.listing();
    const foreign = shop.listing({ languageTag: 'fr', ownerId: newId('dealer') });
    await linked({ object: listing(foreign), relatedTo: listing(source) });
    const late = {
      object: listing(shop.listing({ languageTag: 'fr' })),
      relatedTo: listing(source),
      onConflict: 'REPLACE',
    };
    expect((await refused(late, shop.people.dealer)).code).toBe('ownership_required');
    expect((await linked(late)).detached).toMatchObject([{ ref: { id: foreign } }]);
  });
});
