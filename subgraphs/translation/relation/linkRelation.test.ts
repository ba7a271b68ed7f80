import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { readGroup } from '../fixture/operations.ts';
import { relationsOf } from '../fixture/relations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const { listing, linked, refused, groupOf, idsOf, makeGroup } = relationsOf(() => shop);

describe('linking', () => {
  test('two objects that exist become a group, and a repetition changes nothing', async () => {
    const [source, other] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
    const input = { object: listing(other), relatedTo: listing(source) };
    const first = await linked(input);
    expect(first).toMatchObject({
      created: true,
      detached: [],
      group: { version: 1, source: { ref: { id: source } } },
    });
    expect(first.group.members).toMatchObject([
      { ref: { id: source }, isSource: true, origin: 'LINKED', live: true },
      { ref: { id: other }, isSource: false, origin: 'LINKED', live: true, outdated: false },
    ]);
    const again = await linked(input);
    expect(again).toMatchObject({ created: false, group: { version: 1, id: first.group.id } });
  });

  test('a group can be joined by its id', async () => {
    const [source = ''] = await makeGroup('en', 'fr');
    const { id } = await groupOf(source);
    const german = shop.listing({ languageTag: 'de' });
    const { group } = await linked({ object: listing(german), groupId: id });
    expect(group).toMatchObject({ version: 2 });
    expect(idsOf(group)).toContain(german);
  });

  test('the language may be stated, and must agree with what the owner says', async () => {
    const source = shop.listing();
    const silent = () => shop.listing({ languageTag: null });
    const relatedTo = listing(source);
    expect((await refused({ object: listing(silent()), relatedTo })).code).toBe('language_required');
    expect((await refused({ object: listing(silent(), 'tlh'), relatedTo })).code).toBe(
      'language_not_configured',
    );
    const mismatch = await refused({ object: listing(shop.listing({ languageTag: 'fr' }), 'de'), relatedTo });
    expect(mismatch).toMatchObject({ code: 'language_mismatch', errors: [{ pointer: '#/object/language' }] });
    const foreign = shop.listing({ languageTag: 'sw' });
    expect((await refused({ object: listing(foreign), relatedTo })).code).toBe('language_not_configured');
    expect((await refused({ object: listing(foreign, 'fr'), relatedTo })).code).toBe('language_mismatch');
    const { group } = await linked({ object: listing(silent(), 'PT_br'), relatedTo });
    expect(group.members.map((member: any) => member.languageCode)).toEqual(['en', 'pt-br']);
  });

  test('a language that readers do not get yet is fine', async () => {
    const [source, dutch] = [shop.listing(), shop.listing({ languageTag: 'nl' })];
    expect((await linked({ object: listing(dutch), relatedTo: listing(source) })).created).toBe(true);
  });

  test('a regional tag of the owner belongs to the configured language', async () => {
    const [source, other] = [shop.listing({ languageTag: 'en-GB' }), shop.listing({ languageTag: 'fr-CA' })];
    const { group } = await linked({ object: listing(other), relatedTo: listing(source) });
    expect(group.members.map((member: any) => member.languageCode)).toEqual(['en', 'fr']);
  });

  test.each<[string, (ids: { a: string; b: string }) => object, string]>([
    ['neither group nor relative', ({ a }) => ({ object: listing(a) }), 'validation_failed'],
    [
      'group and relative',
      ({ a, b }) => ({ object: listing(a), relatedTo: listing(b), groupId: newId('group') }),
      'validation_failed',
    ],
    ['itself', ({ a }) => ({ object: listing(a), relatedTo: listing(a) }), 'self_relation'],
    [
      'an object that does not exist',
      ({ b }) => ({ object: listing(newId('listing')), relatedTo: listing(b) }),
      'object_not_found',
    ],
    [
      'a relative that does not exist',
      ({ a }) => ({ object: listing(a), relatedTo: listing(newId('listing')) }),
      'related_object_not_found',
    ],
    [
      'a group that does not exist',
      ({ a }) => ({ object: listing(a), groupId: newId('group') }),
      'relation_not_found',
    ],
    [
      'a digest that is none',
      ({ a, b }) => ({ object: listing(a), relatedTo: listing(b), sourceDigest: 'md5' }),
      'validation_failed',
    ],
  ])('%s is refused', async (_, input, code) => {
    const ids = { a: shop.listing({ languageTag: 'fr' }), b: shop.listing() };
    expect((await refused(input(ids))).code).toBe(code);
  });

  test('a dealer is not linked to a listing', async () => {
    const dealer = shop.listing({ type: 'Dealer' });
    const input = { object: { type: 'DEALER', id: dealer }, relatedTo: listing(shop.listing()) };
    expect((await refused(input)).code).toBe('object_type_mismatch');
  });

  test('an old digest is accepted, and the member is outdated at once', async () => {
    const [source, other] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
    const sourceDigest = `v1:${'a'.repeat(43)}`;
    const { group } = await linked({ object: listing(other), relatedTo: listing(source), sourceDigest });
    expect(group.members[1]).toMatchObject({ ref: { id: other }, outdated: true });
  });

  test('a version that the group no longer has is refused, before the state is looked at', async () => {
    const [source = '', french = ''] = await makeGroup('en', 'fr');
    const german = shop.listing({ languageTag: 'de' });
    const stale = { object: listing(german), relatedTo: listing(source), expectedVersion: 7 };
    expect((await refused(stale)).code).toBe('precondition_failed');
    expect((await refused({ ...stale, object: listing(french) })).code).toBe('precondition_failed');
    expect((await linked({ ...stale, expectedVersion: 1 })).group.version).toBe(2);
    const alone = {
      object: listing(shop.listing({ languageTag: 'fr' })),
      relatedTo: listing(shop.listing()),
    };
    expect((await refused({ ...alone, expectedVersion: 1 })).code).toBe('precondition_failed');
    expect((await linked({ ...alone, expectedVersion: 0 })).group.version).toBe(1);
  });
});

describe('a language that is taken', () => {
  test('is refused, and the holder is named to those who may see it', async () => {
    const [source = '', french] = await makeGroup('en', 'fr');
    const late = { object: listing(shop.listing({ languageTag: 'fr' })), relatedTo: listing(source) };
    for (const onConflict of ['REJECT', 'MOVE']) {
      const problem = await refused({ ...late, onConflict });
      expect(problem).toMatchObject({
        code: 'language_taken',
        conflict: { language: 'fr', object: { type: 'listing', id: french } },
      });
    }
    shop.listing({ id: french!, languageTag: 'fr', visibility: 'PRIVATE', ownerId: newId('dealer') });
    const { conflict } = await refused(late, shop.people.dealer);
    expect(conflict).not.toHaveProperty('object');
  });

  test('by the relative itself is refused in every mode', async () => {
    const [a, b] = [shop.listing(), shop.listing()];
    for (const onConflict of ['REJECT', 'MOVE', 'REPLACE'])
      expect((await refused({ object: listing(a), relatedTo: listing(b), onConflict })).code).toBe(
        'language_taken',
      );
  });

  test('goes to the newcomer by REPLACE, and the holder is alone, with everything it had', async () => {
    const [source = '', french] = await makeGroup('en', 'fr', 'de');
    const late = shop.listing({ languageTag: 'fr' });
    const { group, detached } = await linked({
      object: listing(late),
      relatedTo: listing(source),
      onConflict: 'REPLACE',
    });
    expect(detached).toEqual([{ ref: { id: french }, languageCode: 'fr', groupId: null }]);
    expect(idsOf(group)).toContain(late);
    expect(idsOf(group)).not.toContain(french);
    expect(await groupOf(french!)).toMatchObject({ id: null, members: [{ ref: { id: french } }] });
  });

  test('can be the source’s: the group elects another one', async () => {
    const [source, french = ''] = await makeGroup('en', 'fr', 'de');
    const late = shop.listing();
    const { group, detached } = await linked({
      object: listing(late),
      relatedTo: listing(french),
      onConflict: 'REPLACE',
    });
    expect(detached).toMatchObject([{ ref: { id: source } }]);
    expect(group.source.ref.id).toBe(late);
    expect(group.members.filter((member: any) => member.isSource)).toHaveLength(1);
  });
});

describe('an object in another group', () => {
  test('stays there unless it is moved', async () => {
    const [, french = ''] = await makeGroup('en', 'fr', 'de');
    const target = shop.listing();
    const input = { object: listing(french), relatedTo: listing(target) };
    const before = await groupOf(french);
    expect(await refused(input)).toMatchObject({
      code: 'object_in_other_group',
      conflict: { groupId: before.id },
    });
    const { group } = await linked({ ...input, onConflict: 'MOVE' });
    expect(idsOf(group)).toEqual([target, french]);
    expect(idsOf((await shop.ask(readGroup, { groupId: before.id })).relationGroup)).not.toContain(french);
  });

  test('leaves nothing behind but an object alone when two were linked', async () => {
    const [source = '', french = ''] = await makeGroup('en', 'fr');
    const before = await groupOf(source);
    await linked({ object: listing(french), relatedTo: listing(shop.listing()), onConflict: 'MOVE' });
    expect(await groupOf(source)).toMatchObject({ id: null, version: 0 });
    expect((await shop.refuse(readGroup, { groupId: before.id })).code).toBe('relation_not_found');
  });
});
