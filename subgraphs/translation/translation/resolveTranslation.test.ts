import { commandsOf } from '../../../test/support/commandsOf.ts';
import { newId } from '../../platform/ids/newId.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, link } from '../fixture/operations.ts';
import { storeGroups, storeHeads } from '../fixture/storeGroups.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const fields = { title: 'Bonne voiture', description: 'Roule bien' };
const resolution = 'resolution { requested matchedCode matched { code } strategy chain fallbackUsed reason }';
const resolve = /* GraphQL */ `query (
  $id: ID, $objectType: TranslatableType, $objectId: [ID!], $language: String, $acceptLanguage: String,
  $fallback: FallbackMode! = CHAIN, $view: TranslationView! = PUBLIC, $include: [TranslationPart!]
) {
  resolveTranslation(
    id: $id, objectType: $objectType, objectId: $objectId, language: $language, acceptLanguage: $acceptLanguage,
    fallback: $fallback, view: $view, include: $include
  ) {
    ... on ResolvedTranslation { translation { id languageCode ref { id } fields { title } live } ${resolution} }
    ... on ResolvedTranslationBatch { data { objectId translation { languageCode fields { title } } ${resolution} } }
  }
}`;

const translate = async (listing: string, language: string, options: object = {}) => {
  const input = {
    source: { type: 'LISTING', id: listing },
    language,
    fields,
    status: 'PUBLISHED',
    ...options,
  };
  return (await shop.ask(create, { input })).createTranslation.translation;
};
const wish = (objectId: string | string[], language: string | null, options: object = {}) => ({
  objectType: 'LISTING',
  objectId,
  language,
  ...options,
});
const resolved = async (variables: object, as: any = shop.people.editor) =>
  (await shop.ask(resolve, variables, { as })).resolveTranslation;

describe('one object', () => {
  let listing: string;
  let french: { id: string };
  beforeAll(async () => {
    listing = shop.listing();
    french = await translate(listing, 'fr');
    await translate(listing, 'de', { status: 'DRAFT' });
  });

  test('in the language itself', async () => {
    const { translation, resolution: why } = await resolved(wish(listing, 'FR'));
    expect(translation).toEqual({
      id: french.id,
      languageCode: 'fr',
      ref: { id: french.id },
      fields: { title: 'Bonne voiture' },
      live: true,
    });
    expect(why).toEqual({
      requested: 'FR',
      matchedCode: 'fr',
      matched: { code: 'fr' },
      strategy: 'EXACT',
      chain: ['fr', 'de', 'en'],
      fallbackUsed: false,
      reason: null,
    });
  });

  test.each([
    ['a regional form of it', { language: 'fr-CA' }, 'fr', 'LOCALE_MATCH'],
    ['what is not live yet', { language: 'de' }, 'en', 'DEFAULT_LANGUAGE'],
    ['a language that is not there', { language: 'pt_BR' }, 'en', 'DEFAULT_LANGUAGE'],
    ['a language that nobody configured', { language: 'sw' }, 'en', 'DEFAULT_LANGUAGE'],
    ['what is not live yet, for editors', { language: 'de', view: 'EDITORIAL' }, 'de', 'EXACT'],
    [
      'what a header asks for',
      { language: 'auto', acceptLanguage: 'sw, fr-CH;q=0.8, en;q=0.2' },
      'fr',
      'LOCALE_MATCH',
    ],
    ['what no header asks for', { language: 'auto' }, 'en', 'DEFAULT_LANGUAGE'],
    [
      'the default, when that is all one goes along with',
      { language: 'pt-br', fallback: 'DEFAULT' },
      'en',
      'DEFAULT_LANGUAGE',
    ],
  ])('%s', async (_, options, code, strategy) => {
    const { resolution: why } = await resolved(wish(listing, null, options));
    expect(why).toMatchObject({ matchedCode: code, strategy });
  });

  test('a fallback is one only where something was asked for', async () => {
    const used = async (options: object) =>
      (await resolved(wish(listing, null, options))).resolution.fallbackUsed;
    expect(await used({ language: 'fr-CA' })).toBe(true);
    expect(await used({ language: 'auto', acceptLanguage: 'sw' })).toBe(true);
    expect(await used({ language: 'auto', acceptLanguage: '*' })).toBe(false);
  });

  test('a configured fallback', async () => {
    const german = shop.listing();
    await translate(german, 'de');
    const { resolution: why } = await resolved(wish(german, 'fr'));
    expect(why).toMatchObject({ matchedCode: 'de', strategy: 'CONFIGURED_FALLBACK' });
  });

  test('the source, when nothing else is there', async () => {
    const arabic = shop.listing({ languageTag: 'ar' });
    await translate(arabic, 'pt-br');
    const { resolution: why } = await resolved(wish(arabic, 'fr'));
    expect(why).toMatchObject({ matchedCode: 'ar', strategy: 'SOURCE' });
  });

  test('an object alone answers for itself, without a record', async () => {
    const alone = shop.listing();
    const { translation, resolution: why } = await resolved(wish(alone, 'fr'));
    expect(translation).toEqual({
      id: null,
      languageCode: 'en',
      ref: { id: alone },
      fields: null,
      live: true,
    });
    expect(why.strategy).toBe('DEFAULT_LANGUAGE');
  });

  test('nothing is not found, and the answer says what was tried', async () => {
    const problem = await shop.refuse(resolve, wish(listing, 'pt-br', { fallback: 'NONE' }));
    expect(problem).toMatchObject({
      code: 'translation_not_found',
      resolution: { requested: 'pt-br', chain: ['pt-br'] },
    });
    const hidden = shop.listing({ visibility: 'PRIVATE' });
    expect((await shop.refuse(resolve, wish(hidden, 'en'))).code).toBe('translation_not_found');
  });

  test('a text in a language that was deactivated is for editors only', async () => {
    const dutch = shop.listing();
    await translate(dutch, 'nl');
    expect((await resolved(wish(dutch, 'nl'))).resolution.matchedCode).toBe('en');
    expect((await resolved(wish(dutch, 'nl', { view: 'EDITORIAL' }))).resolution.matchedCode).toBe('nl');
  });

  test('what is archived is for nobody', async () => {
    const own = shop.listing();
    const { id } = await translate(own, 'fr');
    await shop.ask(change, { input: { id, status: 'ARCHIVED' } });
    for (const view of ['PUBLIC', 'EDITORIAL'])
      expect((await resolved(wish(own, 'fr', { view }))).resolution.matchedCode).toBe('en');
  });

  test('readers get the published texts, editors those that are worked on', async () => {
    const own = shop.listing();
    const { id } = await translate(own, 'fr');
    await shop.ask(
      'mutation ($input: UpdateTranslationContentInput!) { updateTranslationContent(input: $input) { translation { id } } }',
      { input: { id, fields: { title: 'Nouveau' }, expectedVersion: 1 } },
    );
    expect((await resolved(wish(own, 'fr'))).translation.fields.title).toBe('Bonne voiture');
    expect((await resolved(wish(own, 'fr', { view: 'EDITORIAL' }))).translation.fields.title).toBe('Nouveau');
  });

  test('a translation by its id is what it is', async () => {
    const { translation, resolution: why } = await resolved({ id: french.id });
    expect(translation.id).toBe(french.id);
    expect(why).toMatchObject({ requested: null, matchedCode: 'fr', strategy: 'EXACT', chain: ['fr'] });
  });
});

test.each([
  ['no selector', {}, 'malformed_request'],
  ['two selectors', { id: newId('translation'), language: 'fr' }, 'malformed_request'],
  ['no language', wish(newId('listing'), null), 'malformed_request'],
  ['no object', wish([], 'fr'), 'malformed_request'],
  ['101 objects', wish(Array<string>(101).fill(newId('listing')), 'fr'), 'malformed_request'],
  ['a language that is none', wish(newId('listing'), 'f r'), 'invalid_language'],
  ['a language of 100 kB', wish(newId('listing'), 'x'.repeat(100_000)), 'invalid_language'],
  ['an object that does not exist', wish(newId('listing'), 'fr'), 'object_not_found'],
  ['a translation that does not exist', { id: newId('translation') }, 'translation_not_found'],
])('%s is refused', async (_, variables, code) => {
  expect((await shop.refuse(resolve, variables)).code).toBe(code);
});

test('the reach of the caller decides, also for what readers see', async () => {
  const foreign = shop.listing({ ownerId: newId('dealer') });
  const code = async (as: any) => (await shop.refuse(resolve, wish(foreign, 'en'), { as })).code;
  expect(await code(shop.people.dealer)).toBe('ownership_required');
  expect(await code(shop.people.buyer)).toBe('permission_required');
  expect(await code(null)).toBe('token_missing');
});

describe('several objects', () => {
  test('each has its entry, in their order, with its text or its reason', async () => {
    const [own, alone, missing] = [shop.listing(), shop.listing({ languageTag: 'ar' }), newId('listing')];
    const foreign = shop.listing({ ownerId: newId('dealer') });
    await translate(own, 'fr');
    const ids = [missing, own, foreign, alone, own];
    const { data } = await resolved(wish(ids, 'fr', { fallback: 'DEFAULT' }), shop.people.dealer);
    expect(data.map(({ objectId }: any) => objectId)).toEqual(ids);
    expect(data.map((entry: any) => entry.resolution.reason ?? entry.translation.languageCode)).toEqual([
      'OBJECT_NOT_FOUND',
      'fr',
      'OWNERSHIP_REQUIRED',
      'TRANSLATION_NOT_FOUND',
      'fr',
    ]);
  });

  test('their texts are left out unless they are asked for', async () => {
    const ids = [shop.listing(), shop.listing()];
    await Promise.all(ids.map((id) => translate(id, 'fr')));
    const titles = async (include?: string[]) =>
      (await resolved(wish(ids, 'fr', { include }))).data.map(
        ({ translation }: any) => translation.fields?.title,
      );
    expect(await titles()).toEqual([undefined, undefined]);
    expect(await titles(['FIELDS'])).toEqual(['Bonne voiture', 'Bonne voiture']);
  });

  test('at most 1,000 in GraphQL', async () => {
    const many = /* GraphQL */ `query ($objects: [ObjectRefInput!]!) {
      resolveTranslations(objects: $objects, language: "fr") { matchedCode reason translation { id } }
    }`;
    const objects = (length: number) =>
      Array.from({ length }, () => ({ type: 'LISTING', id: newId('listing') }));
    const { resolveTranslations } = await shop.ask(many, { objects: objects(1000) });
    expect(resolveTranslations).toHaveLength(1000);
    expect(resolveTranslations[0].reason).toBe('OBJECT_NOT_FOUND');
    expect((await shop.refuse(many, { objects: objects(1001) })).code).toBe('malformed_request');
  });
});

test('what readers get follows the owner where the head of an object has not heard yet', async () => {
  const id = shop.listing();
  await translate(id, 'fr');
  const reason = async () => {
    const source = `query ($id: ID!) {
      resolveTranslations(objects: [{ type: LISTING, id: $id }], language: "fr") { matchedCode reason } }`;
    return (await shop.ask(source, { id })).resolveTranslations[0];
  };
  expect(await reason()).toEqual({ matchedCode: 'fr', reason: null });
  await storeHeads(shop, [id], 'PRIVATE');
  expect(await reason()).toEqual({ matchedCode: 'fr', reason: null });
  shop.listing({ id, visibility: 'PRIVATE' });
  expect(await reason()).toEqual({ matchedCode: null, reason: 'TRANSLATION_NOT_FOUND' });
});

test('drafts of what is public are read by editors and by those whose object it is', async () => {
  const { dealer, editor } = shop.people;
  const [own, foreign] = [shop.listing(), shop.listing({ ownerId: newId('dealer') })];
  await storeHeads(shop, [own, foreign]);
  for (const id of [own, foreign]) await translate(id, 'fr', { status: 'DRAFT' });
  const source = `query ($objects: [ObjectRefInput!]!) {
    resolveTranslations(objects: $objects, language: "fr", view: EDITORIAL) {
      reason translation { live fields { title } } } }`;
  const objects = [own, foreign].map((id) => ({ type: 'LISTING', id }));
  const answers = async (as: any) => (await shop.ask(source, { objects }, { as })).resolveTranslations;
  const draft = { reason: null, translation: { live: false, fields: { title: 'Bonne voiture' } } };
  expect(await answers(editor)).toEqual([draft, draft]);
  expect(await answers(dealer)).toEqual([draft, { reason: 'OWNERSHIP_REQUIRED', translation: null }]);
});

test('a text that was chosen for readers shows editors their work on it as well', async () => {
  const id = shop.listing();
  await storeHeads(shop, [id]);
  const french = await translate(id, 'fr', { assigneeId: shop.people.translator.id });
  const source = `query ($id: ID!) { resolveTranslations(objects: [{ type: LISTING, id: $id }], language: "fr") {
    translation { id status outdated sourceDigest assigneeId source { id } history { to } fields { title } } } }`;
  const [{ translation }] = (await shop.ask(source, { id })).resolveTranslations;
  expect(translation).toEqual({
    id: french.id,
    status: 'PUBLISHED',
    outdated: false,
    sourceDigest: french.sourceDigest,
    assigneeId: shop.people.translator.id,
    source: { id },
    history: [{ to: 'PUBLISHED' }],
    fields: { title: 'Bonne voiture' },
  });
  expect(french.sourceDigest).toMatch(/^v1:/);
});

describe('the database', () => {
  const one = 'translation { id languageCode live url fields { title description } }';
  const many = (
    texts: string,
  ) => /* GraphQL */ `query ($objects: [ObjectRefInput!]!, $view: TranslationView!) {
    resolveTranslations(objects: $objects, language: "fr", view: $view) { matchedCode ${texts} }
  }`;
  const fromHeads = ['find translation_object_heads', 'find translations', 'find translations'];
  let ids: string[];
  beforeAll(async () => {
    ids = Array.from({ length: 1000 }, () => shop.listing());
    await storeGroups(shop, ids, ['de', 'fr', 'pt-br', 'ar']);
    await storeHeads(shop, ids);
  });

  // Beside these only the caller's session and dealers are read, and the languages once in five seconds.
  test.each([
    ['PUBLIC', 'texts', one, fromHeads, 0],
    ['EDITORIAL', 'texts', one, fromHeads, 0],
    [
      'EDITORIAL',
      'work',
      `${one} ... { translation { status } }`,
      ['find translations', 'find translations'],
      1,
    ],
  ])(
    'is asked three times at most for the %s %s of 1, 10 and 1,000 objects in several languages',
    async (view, _, texts, reads, questions) => {
      for (const length of [1, 10, 1000]) {
        const objects = ids.slice(0, length).map((id) => ({ type: 'LISTING', id }));
        const before = shop.neighbour.questions;
        const commands = await commandsOf(async () => {
          const { resolveTranslations } = await shop.ask(many(texts), { objects, view });
          expect(resolveTranslations).toHaveLength(length);
          for (const { matchedCode, translation } of resolveTranslations)
            expect([matchedCode, translation.fields.title]).toEqual(['fr', 'Bonne voiture']);
        });
        const ofTexts = commands.filter((command) => command !== 'find language_settings');
        expect(ofTexts).toEqual(['aggregate sessions', 'find dealers', ...reads]);
        expect(shop.neighbour.questions - before).toBe(questions);
      }
    },
    60_000,
  );
});

test('a linked member is read where it lives', async () => {
  const [source, other] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
  await shop.ask(link, {
    input: { object: { type: 'LISTING', id: other }, relatedTo: { type: 'LISTING', id: source } },
  });
  const { translation } = await resolved(wish(source, 'fr'));
  expect(translation).toMatchObject({ ref: { id: other }, fields: null, live: true });
  shop.listing({ id: other, languageTag: 'fr', visibility: 'PRIVATE' });
  expect((await resolved(wish(source, 'fr'))).resolution.matchedCode).toBe('en');
});
