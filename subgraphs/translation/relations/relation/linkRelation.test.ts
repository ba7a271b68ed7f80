import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { idsOf, openDesk, ref } from '../../fixture/openDesk.ts';

const { people, dealers, car, rivalCar, silentCar, link, linkCars, unlink, groupOf, groupIdOf } = openDesk(
  product(),
);

test('two objects become a group, and linking them again changes nothing', async () => {
  const [source, other] = [await car(), await car({ language: 'fr' })];
  const input = { object: ref(other), relatedTo: ref(source) };
  const first = await link(input);
  expect(first).toMatchObject({
    created: true,
    detached: [],
    group: { version: 1, source: { ref: { objectId: source } } },
  });
  expect(first.group.members).toMatchObject([
    { ref: { objectId: source }, isSource: true, origin: 'LINKED', live: true },
    { ref: { objectId: other }, isSource: false, origin: 'LINKED', live: true, outdated: false },
  ]);
  expect(await link(input)).toMatchObject({ created: false, group: { version: 1, id: first.group.id } });
});

test('an object joins a group by its id', async () => {
  const [source] = await linkCars('en', 'fr');
  const german = await car({ language: 'de' });
  const { group } = await link({ object: ref(german), groupId: await groupIdOf(source) });
  expect([group.version, idsOf(group).includes(german)]).toEqual([2, true]);
});

test('a link is refused if its language is missing, not configured, or not that of the owner', async () => {
  const relatedTo = ref(await car());
  expect(await link({ object: ref(await silentCar()), relatedTo })).toBeRefused(422, 'language_required');
  const unknown = { object: ref(await silentCar(), 'tlh'), relatedTo };
  expect(await link(unknown)).toBeRefused(422, 'language_not_configured');
  const contradiction = { object: ref(await car({ language: 'fr' }), 'de'), relatedTo };
  const errors = [{ pointer: '#/object/language' }];
  expect(await link(contradiction)).toBeRefused(422, 'language_mismatch', { errors });
  const swahili = await car({ language: 'sw' });
  expect(await link({ object: ref(swahili), relatedTo })).toBeRefused(422, 'language_not_configured');
  expect(await link({ object: ref(swahili, 'fr'), relatedTo })).toBeRefused(422, 'language_mismatch');
  const { group } = await link({ object: ref(await silentCar(), 'PT_br'), relatedTo });
  expect(group.members.map(({ languageCode }) => languageCode)).toEqual(['en', 'pt-br']);
});

test('objects with a regional tag or an inactive language can be linked', async () => {
  const source = await car({ language: 'en-GB' });
  await link({ object: ref(await car({ language: 'fr-CA' })), relatedTo: ref(source) });
  const { group } = await link({ object: ref(await car({ language: 'nl' })), relatedTo: ref(source) });
  expect(group.members.map(({ languageCode }) => languageCode)).toEqual(['en', 'fr', 'nl']);
});

const unknown = ref(newId('listing'));
const groupId = newId('group');
test.each<[string, (b: string) => object, number, string]>([
  ['to itself', (b) => ({ object: ref(b), relatedTo: ref(b) }), 422, 'self_relation'],
  ['of an unknown object', (b) => ({ object: unknown, relatedTo: ref(b) }), 404, 'object_not_found'],
  ['to an unknown object', () => ({ relatedTo: unknown }), 404, 'related_object_not_found'],
  ['to an unknown group', () => ({ groupId }), 404, 'relation_not_found'],
  ['with a malformed digest', (b) => ({ relatedTo: ref(b), sourceDigest: 'md5' }), 422, 'validation_failed'],
  [
    'to a dealer',
    () => ({ relatedTo: { type: 'DEALER', id: dealers.garage.id } }),
    422,
    'object_type_mismatch',
  ],
])('a link of a listing %s is refused', async (_, input, status, code) => {
  const object = ref(await car({ language: 'fr' }));
  expect(await link({ object, ...input(await car()) })).toBeRefused(status, code);
});

test.each<[string, object, string]>([
  ['without group and related object', {}, '#/relatedTo'],
  ['with group and related object', { relatedTo: unknown, groupId }, '#/groupId'],
])('a link of a listing %s is refused', async (_, target, pointer) => {
  const errors = [{ pointer, code: 'exactly_one' }];
  expect(await link({ object: unknown, ...target })).toBeRefused(422, 'validation_failed', { errors });
});

test('a link with an earlier digest of the source is accepted as outdated', async () => {
  const [source, other] = [await car(), await car({ language: 'fr' })];
  const sourceDigest = `v1:${'a'.repeat(43)}`;
  const { group } = await link({ object: ref(other), relatedTo: ref(source), sourceDigest });
  expect(group.members[1]).toMatchObject({ ref: { objectId: other }, outdated: true });
});

test('the version of objects that are in no group is 0', async () => {
  const input = { object: ref(await car({ language: 'fr' })), relatedTo: ref(await car()) };
  expect(await link({ ...input, expectedVersion: 1 })).toBeRefused(412, 'precondition_failed');
  expect((await link({ ...input, expectedVersion: 0 })).group.version).toBe(1);
});

describe('a language that is taken', () => {
  test('a language that is taken is refused with its holder, if the caller may see it', async () => {
    const source = await car();
    const french = await rivalCar({ language: 'fr' });
    await link({ object: ref(french), relatedTo: ref(source) });
    const late = { object: ref(await car({ language: 'fr' })), relatedTo: ref(source) };
    const conflict = { language: 'fr', object: { type: 'listing', id: french } };
    for (const onConflict of ['REJECT', 'MOVE'] as const)
      expect(await link({ ...late, onConflict })).toBeRefused(409, 'language_taken', { conflict });
    await people.rival.pauseListing({ listingId: french });
    const hidden = { conflict: expect.not.objectContaining({ object: expect.anything() }) };
    expect(await link(late, people.dealer)).toBeRefused(409, 'language_taken', hidden);
  });

  test('by the related object itself is refused in every mode', async () => {
    const input = { object: ref(await car()), relatedTo: ref(await car()) };
    for (const onConflict of ['REJECT', 'MOVE', 'REPLACE'] as const)
      expect(await link({ ...input, onConflict })).toBeRefused(409, 'language_taken');
  });

  test('is transferred to the new object with REPLACE, and the former holder leaves the group', async () => {
    const [source, french] = await linkCars('en', 'fr', 'de');
    const late = await car({ language: 'fr' });
    const input = { object: ref(late), relatedTo: ref(source), onConflict: 'REPLACE' } as const;
    const { group, detached } = await link(input);
    expect(detached).toEqual([{ ref: { objectId: french }, languageCode: 'fr', groupId: null }]);
    expect(idsOf(group)).toEqual([source, expect.any(String), late]);
    expect(await groupOf(french)).toMatchObject({ id: null, members: [{ ref: { objectId: french } }] });
  });

  test('REPLACE transfers the language of the source to the new object, which becomes the source', async () => {
    const [source, french] = await linkCars('en', 'fr', 'de');
    const late = await car();
    const input = { object: ref(late), relatedTo: ref(french), onConflict: 'REPLACE' } as const;
    const { group, detached } = await link(input);
    expect(detached).toMatchObject([{ ref: { objectId: source } }]);
    expect(group.members.filter(({ isSource }) => isSource)).toMatchObject([{ ref: { objectId: late } }]);
  });
});

test('linking an object of another group is refused, unless it is moved', async () => {
  const [, french] = await linkCars('en', 'fr', 'de');
  const target = await car();
  const input = { object: ref(french), relatedTo: ref(target) };
  const groupId = await groupIdOf(french);
  expect(await link(input)).toBeRefused(409, 'object_in_other_group', { conflict: { groupId } });
  const { group } = await link({ ...input, onConflict: 'MOVE' });
  expect(idsOf(group)).toEqual([target, french]);
  expect(idsOf(await people.editor.relationGroup({ groupId }, 'members { ref { objectId } }'))).not.toContain(
    french,
  );
});

test('a group of two that loses a member is closed', async () => {
  const [source, french] = await linkCars('en', 'fr');
  const groupId = await groupIdOf(source);
  await link({ object: ref(french), relatedTo: ref(await car()), onConflict: 'MOVE' });
  expect(await groupOf(source)).toMatchObject({ id: null, version: 0 });
  expect(await people.editor.relationGroup({ groupId }, 'id')).toBeRefused(404, 'relation_not_found');
});

describe('a dealer', () => {
  test('a dealer can link own objects, and no objects of other dealers on either side', async () => {
    const [own, french] = [await car(), await car({ language: 'fr' })];
    const foreign = await rivalCar({ language: 'de' });
    expect((await link({ object: ref(french), relatedTo: ref(own) }, people.dealer)).created).toBe(true);
    const toForeign = { object: ref(await car({ language: 'pt-BR' })), relatedTo: ref(foreign) };
    for (const input of [{ object: ref(foreign), relatedTo: ref(own) }, toForeign])
      expect(await link(input, people.dealer)).toBeRefused(403, 'ownership_required');
  });

  test('cannot change a group whose source belongs to another dealer', async () => {
    const own = await car({ language: 'fr' });
    await link({ object: ref(own), relatedTo: ref(await rivalCar()) });
    const joining = { object: ref(await car({ language: 'de' })), relatedTo: ref(own) };
    expect(await link(joining, people.dealer)).toBeRefused(403, 'ownership_required');
    expect(await unlink(own, people.dealer)).toBeRefused(403, 'ownership_required');
  });

  test('cannot replace a member that belongs to another dealer', async () => {
    const [source, foreign] = [await car(), await rivalCar({ language: 'fr' })];
    await link({ object: ref(foreign), relatedTo: ref(source) });
    const object = ref(await car({ language: 'fr' }));
    const late = { object, relatedTo: ref(source), onConflict: 'REPLACE' } as const;
    expect(await link(late, people.dealer)).toBeRefused(403, 'ownership_required');
    expect((await link(late)).detached).toMatchObject([{ ref: { objectId: foreign } }]);
  });
});
