import type { Wire } from '../../../../test/support/operations.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import { group, openDesk, ref } from '../../fixture/openDesk.ts';
import { ObjectHeadModel } from '../../objects/objectHeads.ts';
import type { CreateTranslationInput } from '../../translation.generated.ts';

const world = product();
const { people, dealers, car, translate, write, records, run, announceDeleted } = openDesk(world);
const named = (id: string) => ({ type: 'MEDIA' as const, id });
/** Stores a public picture of the dealer. */
const file = (altText: string | null = 'A red car') => {
  const { id } = dealers.garage;
  const usage = [{ type: 'banner' as const, id }];
  return storeMedia(world.market.installation.id, { type: 'dealer', id }, { altText, usage });
};
const settle = () => run('identity.relay', 'translation.object-heads', 'translation.outdated');
const fields = { altText: 'Une voiture rouge' };
const translateFile = (id: string, options: Partial<Wire<CreateTranslationInput>> = {}) =>
  translate('', { source: named(id), fields, status: 'PUBLISHED', ...options });
const link = (object: string, language: string, relatedTo: string) =>
  people.editor.linkRelation(
    { object: { ...named(object), language }, relatedTo: named(relatedTo) },
    `group { ${group} }`,
  );

test('readers receive the text of a picture in their language, without a URL', async () => {
  const id = await file();
  const made = { languageCode: 'fr', live: true, object: { __typename: 'Media' }, fields };
  expect(await translateFile(id)).toMatchObject(made);
  const { data } = await world.stack.execute(
    `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on Media {
      language { code } translations { languageCode fields { altText } } alternates { href }
      translation(language: "fr") { strategy translation { fields { altText } url } } } } }`,
    { ids: [{ __typename: 'Media', id }] },
    { as: people.buyer, installation: world.market.installation, subgraph: 'translation' },
  );
  expect(data?._entities).toEqual([
    {
      language: { code: 'en' },
      translations: [{ languageCode: 'fr', fields }],
      alternates: [],
      translation: { strategy: 'EXACT', translation: { fields, url: null } },
    },
  ]);
});

test.each([
  ['another field', { title: 'Voiture' }, 'unknown_field'],
  ['a text of 501 characters', { altText: 'x'.repeat(501) }, 'validation_failed'],
  ['no text', {}, 'content_incomplete'],
])('the translation of a picture with %s is refused', async (_, fields, code) => {
  const input = { source: named(await file()), language: 'fr', status: 'PUBLISHED', fields } as const;
  expect(await people.editor.createTranslation(input)).toBeRefused(422, code);
});

test('a picture has the default language until another one is assigned', async () => {
  const [english, french, other] = [await file(), await file('Une voiture rouge'), await file()];
  expect((await link(french, 'fr', english)).group.members).toMatchObject([
    { ref: { objectId: english, url: null }, languageCode: 'en', isSource: true },
    { ref: { objectId: french, url: null }, languageCode: 'fr', isSource: false },
  ]);
  await people.editor.assignObjectLanguage({ object: named(other), language: 'de' });
  const alone = await people.dealer.relationGroup({ objectType: 'MEDIA', objectId: other }, group);
  expect(alone.members).toMatchObject([{ languageCode: 'de' }]);
  expect(await link(await file(), 'fr', english)).toBeRefused(409, 'language_taken');
});

test('a link of a picture to a listing is refused', async () => {
  const input = { object: { ...named(await file()), language: 'fr' }, relatedTo: ref(await car()) };
  expect(await people.editor.linkRelation(input)).toBeRefused(422, 'object_type_mismatch');
});

test('the texts of a picture are written by staff and refused to other dealers', async () => {
  const { id } = await translateFile(await file(), { status: 'DRAFT' });
  const edit = { id, expectedVersion: 1, fields: { altText: 'Rouge' } };
  expect(await write(edit, people.rival)).toBeRefused(403, 'ownership_required');
  expect(await write(edit, people.translator)).not.toBeRefused();
});

test('coverage and missing translations include pictures, except pictures without a text', async () => {
  await settle();
  await world.market.records(ObjectHeadModel).deleteMany({});
  await records().deleteMany({});
  const red = await file();
  await file(null);
  await settle();
  const missing = { objectType: 'MEDIA', missing: true, language: 'fr' } as const;
  const list = async (filter: object) =>
    (await people.editor.translations({ filter }, 'nodes { ref { objectId } }')).nodes.map(
      (node) => node.ref.objectId,
    );
  const cell = async (code: string) => {
    const select = 'language { code } total live missing';
    const cells = await people.editor.translationCoverage({ objectType: 'MEDIA' }, select);
    return cells.find(({ language }) => language.code === code);
  };
  expect(await list(missing)).toEqual([red]);
  expect(await cell('fr')).toMatchObject({ total: 1, live: 0, missing: 1 });
  const { id } = await translateFile(red);
  expect(await cell('fr')).toMatchObject({ live: 1, missing: 0 });
  expect(await list({ objectType: 'MEDIA', language: 'fr', live: true })).toContain(id);
  const german = await file('Ein rotes Auto');
  await settle();
  expect(await cell('de')).toMatchObject({ total: 2, missing: 2 });
  await link(german, 'de', red);
  expect([await cell('en'), await cell('de')]).toMatchObject([
    { total: 1, missing: 0 },
    { total: 1, missing: 0 },
  ]);
});

test('a changed text of a picture marks its translations as outdated', async () => {
  const id = await file();
  const made = await translateFile(id);
  await people.dealer.updateMedia({ mediaId: id, altText: 'A blue car' });
  await settle();
  expect(await records().findOne({ _id: made.id })).toMatchObject({ outdated: true });
});

test('the texts of a deleted picture are emptied and archived', async () => {
  const id = await file();
  const made = await translateFile(id);
  await announceDeleted(id, 'media');
  await run('translation.erasures');
  const left = await records().find({ subjectId: id });
  expect(left).toHaveLength(2);
  for (const record of left)
    expect(record).toMatchObject({ groupId: null, objectGoneAt: expect.any(Date), fields: {} });
  expect(left.find(({ _id }) => _id === made.id)).toMatchObject({ status: 'archived' });
});
