import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { link, readGroup, unlink } from '../fixture/operations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const listing = (id: string, language?: string) => ({
  type: 'LISTING',
  id,
  ...(language ? { language } : {}),
});
const linked = async (input: object, as = shop.people.editor) =>
  (await shop.ask(link, { input }, { as })).linkRelation;
const refused = (input: object, as = shop.people.editor) => shop.refuse(link, { input }, { as });
const groupOf = async (objectId: string) =>
  (await shop.ask(readGroup, { objectType: 'LISTING', objectId })).relationGroup;
const idsOf = (group: any): string[] => group.members.map((member: any) => member.ref.id);

/** A group of public listings in these languages; the first one is the source. */
async function makeGroup(...languages: string[]): Promise<string[]> {
  const ids = languages.map((languageTag) => shop.listing({ languageTag }));
  const [source = '', ...others] = ids;
  for (const id of others) await linked({ object: listing(id), relatedTo: listing(source) });
  return ids;
}

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
});

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
