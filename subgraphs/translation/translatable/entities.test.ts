import { changesHeard } from '../../../test/support/changesHeard.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, link } from '../fixture/operations.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const fields = { title: 'Bonne voiture', description: 'Roule bien' };
const translate = async (id: string, language: string, options: object = {}) => {
  const input = { source: { type: 'LISTING', id }, language, fields, status: 'PUBLISHED', ...options };
  return (await shop.ask(create, { input })).createTranslation.translation;
};

/** What the router asks of listings whose ids it has. */
const entities = (selection: string) => /* GraphQL */ `query ($ids: [_Any!]!) {
  _entities(representations: $ids) { ... on Listing { id ${selection} } ... on Dealer { id ${selection} } }
}`;
const ask = async (selection: string, ids: string[], as: any = shop.people.buyer, type = 'Listing') => {
  const representations = ids.map((id) => ({ __typename: type, id }));
  return (await shop.ask(entities(selection), { ids: representations }, { as }))._entities;
};
const refuse = async (selection: string, id: string, as: any) =>
  (await shop.refuse(entities(selection), { ids: [{ __typename: 'Listing', id }] }, { as })).code;

test('any signed-in caller sees what readers see: language, live texts, links between pages', async () => {
  const id = shop.listing();
  const french = await translate(id, 'fr');
  await translate(id, 'de', { status: 'DRAFT' });
  const [listing] = await ask(
    `language { code }
     translations { languageCode live fields { title } }
     translation(language: "fr") { matchedCode translation { fields { title } } }
     alternates { hreflang href language { code } }`,
    [id],
  );
  expect(listing).toEqual({
    id,
    language: { code: 'en' },
    translations: [{ languageCode: 'fr', live: true, fields: { title: 'Bonne voiture' } }],
    translation: { matchedCode: 'fr', translation: { fields: { title: 'Bonne voiture' } } },
    alternates: [
      { hreflang: 'en', href: `http://demo.localhost/listings/${id}`, language: { code: 'en' } },
      { hreflang: 'fr', href: `http://demo.localhost/fr/listings/${id}`, language: { code: 'fr' } },
      { hreflang: 'x-default', href: `http://demo.localhost/listings/${id}`, language: null },
    ],
  });
  expect(french.url).toBe(`http://demo.localhost/fr/listings/${id}`);
});

test('the work on it is for those who read translations, within their reach', async () => {
  const id = shop.listing();
  await translate(id, 'de', { status: 'DRAFT' });
  const work = 'translations(view: EDITORIAL, includeSelf: true) { languageCode status }';
  const seen = [
    { languageCode: 'en', status: 'PUBLISHED' },
    { languageCode: 'de', status: 'DRAFT' },
  ];
  for (const as of [shop.people.editor, shop.people.translator, shop.people.dealer])
    expect((await ask(work, [id], as))[0].translations).toEqual(seen);
  for (const selection of [
    work,
    'translation(language: "de", view: EDITORIAL) { strategy }',
    'relationGroup { version }',
  ]) {
    expect(await refuse(selection, id, shop.people.buyer)).toBe('permission_required');
    expect(await refuse(selection, id, shop.people.rival)).toBe('ownership_required');
  }
  expect(
    (await ask('relationGroup { version members { languageCode } }', [id], shop.people.dealer))[0]
      .relationGroup,
  ).toEqual({
    version: 1,
    members: [{ languageCode: 'en' }, { languageCode: 'de' }],
  });
});

test('members about the work are refused to readers of a live text, and null to those who read only their own', async () => {
  const id = shop.listing();
  await translate(id, 'fr');
  const selection = 'translations { note status history { to } }';
  expect(await refuse(selection, id, shop.people.buyer)).toBe('permission_required');
  const [listing] = await ask(selection, [id], shop.people.rival);
  expect(listing.translations).toEqual([{ note: null, status: null, history: null }]);
  expect(await refuse('translations { fields(view: EDITORIAL) { title } }', id, shop.people.rival)).toBe(
    'ownership_required',
  );
});

test('what is not public shows nothing to readers', async () => {
  const id = shop.listing();
  await translate(id, 'fr');
  shop.listing({ id, visibility: 'PRIVATE' });
  const selection =
    'language { code } translations(includeSelf: true) { id } alternates { href } translation(language: "fr") { strategy }';
  expect(await ask(selection, [id])).toEqual([
    { id, language: null, translations: [], alternates: [], translation: { strategy: 'NONE' } },
  ]);
  expect((await ask('language { code }', [id], shop.people.dealer))[0].language.code).toBe('en');
});

test('an id that is none, or of another installation, is nothing', async () => {
  const foreign = shop.listing({ installationId: shop.stack.other.id });
  const ids = [newId('listing'), 'x', newId('translation'), foreign];
  const nothing = { language: null, translations: [], alternates: [] };
  const found = await ask('language { code } translations { id } alternates { href }', ids);
  expect(found).toEqual(ids.map((id) => ({ id, ...nothing })));
});

test('a stranger sees no listing at all', async () => {
  expect(await refuse('language { code }', shop.listing(), null)).toBe('token_missing');
});

test('dealers are translated like listings', async () => {
  const id = shop.listing({ type: 'Dealer' });
  const input = {
    source: { type: 'DEALER', id },
    language: 'fr',
    fields: { description: 'Depuis 1900' },
    status: 'PUBLISHED',
  };
  await shop.ask(create, { input });
  const [dealer] = await ask(
    'translation(language: "fr") { translation { fields { description } } }',
    [id],
    shop.people.buyer,
    'Dealer',
  );
  expect(dealer.translation.translation.fields.description).toBe('Depuis 1900');
});

describe('a translation as a reference', () => {
  const reference = /* GraphQL */ `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on Translation { id live } } }`;
  const find = async (id: string, as: any) =>
    (await shop.ask(reference, { ids: [{ __typename: 'Translation', id }] }, { as }))._entities[0];

  test('is there for readers while it is live, and for editors always', async () => {
    const live = await translate(shop.listing(), 'fr');
    expect(await find(live.id, shop.people.buyer)).toEqual({ id: live.id, live: true });
    await shop.ask(change, { input: { id: live.id, status: 'ARCHIVED' } });
    expect(await find(live.id, shop.people.buyer)).toBeNull();
    expect(await find(live.id, shop.people.editor)).toEqual({ id: live.id, live: false });
    expect(await find('trn_x', shop.people.editor)).toBeNull();
  });
});

test('a group as a reference is there for those who work on it', async () => {
  const { groupId } = await translate(shop.listing(), 'fr');
  const reference = /* GraphQL */ `query ($ids: [_Any!]!) { _entities(representations: $ids) { ... on RelationGroup { id version } } }`;
  const ids = [{ __typename: 'RelationGroup', id: groupId }];
  const found = async (as: any) => (await shop.ask(reference, { ids }, { as }))._entities;
  expect(await found(shop.people.dealer)).toEqual([{ id: groupId, version: 1 }]);
  expect(await found(shop.people.rival)).toEqual([null]);
});

describe('a list costs what one entry costs', () => {
  const page = /* GraphQL */ `language { code }
    translations(view: EDITORIAL) { languageCode status outdated allowedTransitions fields { title } group { version } }
    translation(language: "fr", view: EDITORIAL) { strategy translation { fields { title } url } }
    relationGroup { version members { languageCode live } missingCodes }
    alternates { href }`;
  /** Commands on the collections of this subgraph; the configuration is read every few seconds, whoever asks. */
  const ownCommandsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
    (await commandsOf(work)).filter((command) => / (translations|relation_groups)$/.test(command));
  const cost = async (ids: string[]) => {
    await changesHeard();
    await ask('language { code }', ids, shop.people.editor);
    const before = shop.neighbour.questions;
    const commands = await ownCommandsOf(() => ask(page, ids, shop.people.editor));
    return { commands, questions: shop.neighbour.questions - before };
  };
  let ids: string[];
  beforeAll(async () => {
    ids = Array.from({ length: 100 }, () => shop.listing());
    // Every one is translated, and every fourth one linked to another listing.
    const prepare = async (id: string, index: number): Promise<void> => {
      await translate(id, 'fr');
      if (index % 4 > 0) return;
      const german = shop.listing({ languageTag: 'de' });
      const input = { object: { type: 'LISTING', id: german }, relatedTo: { type: 'LISTING', id } };
      await shop.ask(link, { input });
    };
    for (let start = 0; start < ids.length; start += 10)
      await Promise.all(ids.slice(start, start + 10).map((id, index) => prepare(id, start + index)));
  }, 60_000);

  test('1, 10 and 100 listings: the same commands, and few questions to their owner', async () => {
    const costs = [await cost(ids.slice(0, 1)), await cost(ids.slice(0, 10)), await cost(ids)];
    // What the objects and those beside them are to the caller, and the texts that theirs were made from: of objects that
    // stand alone, and of the others, which wait for those beside them.
    for (const { questions } of costs) expect(questions).toBeLessThanOrEqual(4);
    const [one, ...more] = costs.map(({ commands }) => commands);
    for (const commands of more) expect(commands).toEqual(one);
    // Records of the objects, members of their groups, candidates for a reader, and texts.
    expect(one).toEqual([
      'find relation_groups',
      'find translations',
      'find translations',
      'find translations',
      'find translations',
    ]);
  });

  test('texts that suit a reader: at most three commands for 1, 10 and 100 objects', async () => {
    const source = /* GraphQL */ `query ($objects: [ObjectRefInput!]!) {
      resolveTranslations(objects: $objects, language: "fr") { matchedCode translation { languageCode live url } }
    }`;
    const resolving = (some: string[]) =>
      ownCommandsOf(() => shop.ask(source, { objects: some.map((id) => ({ type: 'LISTING', id })) }));
    const one = await resolving(ids.slice(0, 1));
    expect(one).toEqual(['find translations', 'find translations']);
    expect(await resolving(ids.slice(0, 10))).toEqual(one);
    expect(await resolving(ids)).toEqual(one);
  });
});
