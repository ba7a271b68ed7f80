import { product } from '../../../../test/support/product.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { openDesk } from '../../fixture/openDesk.ts';

const world = product();
const { people, dealers, car, hide, translate, change } = openDesk(world);
const published = { status: 'PUBLISHED' } as const;
const refused = (code: string) => ({ problem: { code } });

/** Reads entities by their ids, as the router does. */
async function read(type: string, ids: readonly string[], select: string, as = people.buyer): Promise<any[]> {
  const { data, errors } = await world.stack.execute(
    `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on ${type} { ${select} } } }`,
    { ids: ids.map((id) => ({ __typename: type, id })) },
    { as, installation: world.market.installation, subgraph: 'translation' },
  );
  if (errors) throw errors[0];
  return data?._entities;
}

test('a signed-in user reads the language, live texts and alternates of a listing', async () => {
  const id = await car();
  const { url } = await translate(id, published);
  await translate(id, { language: 'de' });
  const [listing] = await read(
    'Listing',
    [id],
    `language { code } translations { languageCode live fields { title } }
     translation(language: "fr") { matchedCode translation { fields { title } } }
     alternates { hreflang href language { code } }`,
  );
  const fields = { title: 'Bonne voiture' };
  const { baseUrl } = world.market.installation;
  const href = String(url).replace('/fr/', '/');
  expect(href).toMatch(`${baseUrl}/listings/`);
  expect(listing).toEqual({
    language: { code: 'en' },
    translations: [{ languageCode: 'fr', live: true, fields }],
    translation: { matchedCode: 'fr', translation: { fields } },
    alternates: [
      { hreflang: 'en', href, language: { code: 'en' } },
      { hreflang: 'fr', href: url, language: { code: 'fr' } },
      { hreflang: 'x-default', href, language: null },
    ],
  });
});

test('staff and the dealer read drafts, their status and the group of a listing', async () => {
  const id = await car();
  await translate(id, { language: 'de' });
  const select = `translations(view: EDITORIAL, includeSelf: true) { languageCode status }
    relationGroup { version members { languageCode } }`;
  const translations = [
    { languageCode: 'en', status: 'PUBLISHED' },
    { languageCode: 'de', status: 'DRAFT' },
  ];
  const relationGroup = { version: 1, members: [{ languageCode: 'en' }, { languageCode: 'de' }] };
  for (const as of [people.editor, people.translator, people.dealer])
    expect(await read('Listing', [id], select, as)).toEqual([{ translations, relationGroup }]);
});

test('editorial fields of a live text are refused to readers and null for other dealers', async () => {
  const id = await car();
  await translate(id, published);
  const select = 'translations { note status history { to } }';
  await expect(read('Listing', [id], select)).rejects.toMatchObject({
    extensions: refused('permission_required'),
  });
  const translations = [{ note: null, status: null, history: null }];
  expect(await read('Listing', [id], select, people.rival)).toEqual([{ translations }]);
  const editorial = read('Listing', [id], 'translations { fields(view: EDITORIAL) { title } }', people.rival);
  await expect(editorial).rejects.toMatchObject({ extensions: refused('ownership_required') });
});

test('a hidden listing has no language, texts or alternates for readers', async () => {
  const id = await car();
  await translate(id, published);
  await hide(id);
  const select = `language { code } translations(includeSelf: true) { id } alternates { href }
    translation(language: "fr") { strategy }`;
  const nothing = { language: null, translations: [], alternates: [], translation: { strategy: 'NONE' } };
  expect(await read('Listing', [id], select)).toEqual([nothing]);
  const own = await read('Listing', [id], 'language { code }', people.dealer);
  expect(own).toEqual([{ language: { code: 'en' } }]);
});

test('an id of a missing listing has no language, texts or alternates', async () => {
  const ids = [newId('listing'), 'x', newId('translation')];
  const found = await read('Listing', ids, 'id language { code } translations { id } alternates { href }');
  expect(found).toEqual(ids.map((id) => ({ id, language: null, translations: [], alternates: [] })));
});

test('the texts of a dealer are translated like those of a listing', async () => {
  const { id } = dealers.garage;
  const fields = { description: 'Depuis 1900' };
  await translate('', { ...published, source: { type: 'DEALER', id }, fields });
  const select = 'translation(language: "fr") { translation { fields { description } } }';
  expect(await read('Dealer', [id], select)).toEqual([{ translation: { translation: { fields } } }]);
});

test('a translation is an entity for readers while it is live, and always for editors', async () => {
  const { id } = await translate(await car(), published);
  const find = async (as: typeof people.editor) => (await read('Translation', [id], 'id live', as))[0];
  expect(await find(people.buyer)).toEqual({ id, live: true });
  await change({ id, status: 'ARCHIVED' });
  expect([await find(people.buyer), await find(people.editor)]).toEqual([null, { id, live: false }]);
});

test('a relation group is an entity for its dealer, and null for other dealers', async () => {
  const { groupId } = await translate(await car());
  const found = (as: typeof people.editor) => read('RelationGroup', [groupId], 'id version', as);
  expect(await found(people.dealer)).toEqual([{ id: groupId, version: 1 }]);
  expect(await found(people.rival)).toEqual([null]);
});
