import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { french, openDesk, ref } from '../../fixture/openDesk.ts';
import type {
  ResolvedTranslation,
  ResolvedTranslationBatch,
  TranslatableType,
  TranslationView,
} from '../../translation.generated.ts';

const { people, car, rivalCar, hide, link, translate, change, write, run } = openDesk(product());
const settle = () => run('identity.relay', 'translation.object-heads');
const published = { status: 'PUBLISHED' } as const;

type Variables = Parameters<typeof people.editor.resolveTranslation>[0];
const resolution = 'resolution { requested matchedCode matched { code } strategy chain fallbackUsed reason }';
const answer = `... on ResolvedTranslation {
    translation { id languageCode ref { objectId } fields(view: REQUESTED) { title } live } ${resolution}
  }
  ... on ResolvedTranslationBatch { data { objectId translation { languageCode fields(view: REQUESTED) { title } } ${resolution} } }`;
const ask = (variables: Variables, as = people.editor) => as.resolveTranslation(variables, answer);
/** The text of one listing. */
const resolve = async (id: string, language: string | null, options: Variables = {}) => {
  const variables = { objectType: 'LISTING', objectId: [id], language, ...options } as const;
  return (await ask(variables)) as Wire<ResolvedTranslation>;
};
const codeOf = async (...parameters: Parameters<typeof resolve>) =>
  (await resolve(...parameters)).resolution.matchedCode;
/** The texts of several listings. */
const resolveAll = (
  ids: readonly string[],
  select: string,
  view: Wire<TranslationView> = 'PUBLIC',
  as = people.editor,
) => as.resolveTranslations({ objects: ids.map((id) => ref(id)), language: 'fr', view }, select);

describe('one object', () => {
  let listing: string;
  let text: string;
  beforeAll(async () => {
    listing = await car();
    text = (await translate(listing, published)).id;
    await translate(listing, { language: 'de' });
  });

  test('one object is resolved in the requested language', async () => {
    const { title } = french;
    expect(await resolve(listing, 'FR')).toEqual({
      translation: { id: text, languageCode: 'fr', ref: { objectId: text }, fields: { title }, live: true },
      resolution: {
        requested: 'FR',
        matchedCode: 'fr',
        matched: { code: 'fr' },
        strategy: 'EXACT',
        chain: ['fr', 'de', 'en'],
        fallbackUsed: false,
        reason: null,
      },
    });
  });

  test.each<[string, Variables, string, string]>([
    ['a region of the language', { language: 'fr-CA' }, 'fr', 'LOCALE_MATCH'],
    ['a language with a draft', { language: 'de' }, 'en', 'DEFAULT_LANGUAGE'],
    ['a language without a text', { language: 'pt_BR' }, 'en', 'DEFAULT_LANGUAGE'],
    ['a language that is not configured', { language: 'sw' }, 'en', 'DEFAULT_LANGUAGE'],
    ['a draft in the editorial view', { language: 'de', view: 'EDITORIAL' }, 'de', 'EXACT'],
    [
      'an Accept-Language header',
      { language: 'auto', acceptLanguage: 'sw, fr-CH;q=0.8, en;q=0.2' },
      'fr',
      'LOCALE_MATCH',
    ],
    ['an absent Accept-Language header', { language: 'auto' }, 'en', 'DEFAULT_LANGUAGE'],
    [
      'a language without a text and the fallback DEFAULT',
      { language: 'pt-br', fallback: 'DEFAULT' },
      'en',
      'DEFAULT_LANGUAGE',
    ],
  ])('one object is resolved for %s', async (_, options, matchedCode, strategy) => {
    const found = await resolve(listing, null, options);
    expect(found.resolution).toMatchObject({ matchedCode, strategy });
  });

  test('one object is reported as a fallback only if a language was requested', async () => {
    const isFallback = async (language: string, acceptLanguage: string | null = null) =>
      (await resolve(listing, language, { acceptLanguage })).resolution.fallbackUsed;
    expect(await isFallback('fr-CA')).toBe(true);
    expect(await isFallback('auto', 'sw')).toBe(true);
    expect(await isFallback('auto', '*')).toBe(false);
  });

  test('one object without a text within the fallback is refused as not found with the languages that were tried', async () => {
    const tried = { resolution: { requested: 'pt-br', chain: ['pt-br'] } };
    const missing = await resolve(listing, 'pt-br', { fallback: 'NONE' });
    expect(missing).toBeRefused(404, 'translation_not_found', tried);
    const hidden = await car();
    await hide(hidden);
    expect(await resolve(hidden, 'en')).toBeRefused(404, 'translation_not_found');
  });

  test('one object is resolved by the id of a translation', async () => {
    const found = (await ask({ id: text })) as Wire<ResolvedTranslation>;
    expect(found.translation?.id).toBe(text);
    const expected = { requested: null, matchedCode: 'fr', strategy: 'EXACT', chain: ['fr'] };
    expect(found.resolution).toMatchObject(expected);
  });
});

test('an object without translations is resolved to itself without a record', async () => {
  const id = await car();
  const translation = { id: null, languageCode: 'en', ref: { objectId: id }, fields: null, live: true };
  expect((await resolve(id, 'fr')).translation).toEqual(translation);
});

test('a text in an inactive language is resolved only in the editorial view, and an archived text in none', async () => {
  const id = await car();
  await translate(id, { ...published, language: 'nl' });
  expect([await codeOf(id, 'nl'), await codeOf(id, 'nl', { view: 'EDITORIAL' })]).toEqual(['en', 'nl']);
  const archived = await translate(id, published);
  await change({ id: archived.id, status: 'ARCHIVED' });
  expect([await codeOf(id, 'fr'), await codeOf(id, 'fr', { view: 'EDITORIAL' })]).toEqual(['en', 'en']);
});

test('the public view has published texts, and the editorial view those in progress', async () => {
  const listing = await car();
  const { id } = await translate(listing, published);
  await write({ id, fields: { title: 'Nouveau' }, expectedVersion: 1 });
  expect((await resolve(listing, 'fr')).translation?.fields?.title).toBe(french.title);
  const editorial = await resolve(listing, 'fr', { view: 'EDITORIAL' });
  expect(editorial.translation?.fields?.title).toBe('Nouveau');
});

test('a linked object is resolved while it is public, and not after it was hidden', async () => {
  const [source, id] = [await car(), await car({ language: 'fr' })];
  await link({ object: ref(id), relatedTo: ref(source) });
  const { translation } = await resolve(source, 'fr');
  expect(translation).toMatchObject({ ref: { objectId: id }, fields: null, live: true });
  await hide(id);
  expect(await codeOf(source, 'fr')).toBe('en');
});

const of = (objectId: string[], language: string | null) => ({
  objectType: 'LISTING' as Wire<TranslatableType>,
  objectId,
  language,
});
test.each<[string, Variables, number, string]>([
  ['no selector', {}, 400, 'malformed_request'],
  ['two selectors', { id: newId('translation'), language: 'fr' }, 400, 'malformed_request'],
  ['no language', of([newId('listing')], null), 400, 'malformed_request'],
  ['an empty list of objects', of([], 'fr'), 400, 'malformed_request'],
  ['101 objects', of(Array(101).fill(newId('listing')), 'fr'), 400, 'malformed_request'],
  ['a malformed language', of([newId('listing')], 'f r'), 400, 'invalid_language'],
  ['a language of 100 kB', of([newId('listing')], 'x'.repeat(100_000)), 400, 'invalid_language'],
  ['an object that does not exist', of([newId('listing')], 'fr'), 404, 'object_not_found'],
  ['a translation that does not exist', { id: newId('translation') }, 404, 'translation_not_found'],
])('resolving %s is refused', async (_, variables, status, code) => {
  expect(await ask(variables)).toBeRefused(status, code);
});

test('each of several objects has an entry in the requested order, with its text or a reason', async () => {
  const [own, arabic, missing] = [await car(), await car({ language: 'ar' }), newId('listing')];
  await translate(own, published);
  const ids = [missing, own, await rivalCar(), arabic, own];
  const read = async (include: 'FIELDS'[] | null) => {
    const variables = { ...of(ids, 'fr'), fallback: 'DEFAULT', include } as const;
    return ((await ask(variables, people.dealer)) as Wire<ResolvedTranslationBatch>).data;
  };
  const data = await read(null);
  expect(data.map(({ objectId }) => objectId)).toEqual(ids);
  expect(data.map((entry) => entry.resolution.reason ?? entry.translation)).toEqual([
    'OBJECT_NOT_FOUND',
    { languageCode: 'fr', fields: null },
    'OWNERSHIP_REQUIRED',
    'TRANSLATION_NOT_FOUND',
    { languageCode: 'fr', fields: null },
  ]);
  const [, withTexts] = await read(['FIELDS']);
  expect(withTexts?.translation?.fields).toEqual({ title: french.title });
});

test('GraphQL resolves at most 1,000 objects', async () => {
  const ids = Array.from({ length: 1001 }, () => newId('listing'));
  const entries = await resolveAll(ids.slice(1), 'reason');
  expect(entries.map(({ reason }) => reason)).toEqual(Array(1000).fill('OBJECT_NOT_FOUND'));
  expect(await resolveAll(ids, 'reason')).toBeRefused(422, 'validation_failed');
});

test('a text follows the visibility of its listing, even if the stored head of the listing is outdated', async () => {
  const listingId = await car();
  await translate(listingId, published);
  const read = async () => (await resolveAll([listingId], 'matchedCode reason'))[0];
  const found = { matchedCode: 'fr', reason: null };
  expect(await read()).toEqual(found);
  await hide(listingId);
  await settle();
  expect(await read()).toEqual({ matchedCode: null, reason: 'TRANSLATION_NOT_FOUND' });
  expect(await people.dealer.publishListing({ listingId })).not.toBeRefused();
  expect(await read()).toEqual(found);
});

test('drafts are visible to editors and to the owner of the object, and not to other dealers', async () => {
  const ids = [await car(), await rivalCar()];
  await settle();
  for (const id of ids) await translate(id);
  const read = (as: typeof people.editor) =>
    resolveAll(ids, 'reason translation { live fields(view: REQUESTED) { title } }', 'EDITORIAL', as);
  const draft = { reason: null, translation: { live: false, fields: { title: french.title } } };
  expect(await read(people.editor)).toEqual([draft, draft]);
  expect(await read(people.dealer)).toEqual([draft, { reason: 'OWNERSHIP_REQUIRED', translation: null }]);
});

test('a resolved text contains its editorial fields for editors', async () => {
  const source = await car();
  await settle();
  const assigneeId = people.translator.id;
  const { id, sourceDigest } = await translate(source, { ...published, assigneeId });
  const select =
    'id status outdated sourceDigest assigneeId source { objectId } history { to } fields(view: REQUESTED) { title }';
  const [entry] = await resolveAll([source], `translation { ${select} }`);
  expect(entry?.translation).toEqual({
    id,
    status: 'PUBLISHED',
    outdated: false,
    sourceDigest,
    assigneeId,
    source: { objectId: source },
    history: [{ to: 'PUBLISHED' }],
    fields: { title: french.title },
  });
  expect(sourceDigest).toMatch(/^v1:/);
});

test.each<[Wire<TranslationView>, string, string[]]>([
  ['PUBLIC', '', ['find translation_object_heads']],
  ['EDITORIAL', '', ['find translation_object_heads']],
  ['EDITORIAL', '... { translation { status } }', ['find listings']],
])('texts in the %s view are read in three commands with the selection "%s"', async (view, more, objects) => {
  const ids = [await car(), await car()];
  await settle();
  for (const id of ids) await translate(id, published);
  const read = () =>
    resolveAll(ids, `translation { live url fields(view: REQUESTED) { title } } ${more}`, view);
  expect(await read()).toHaveLength(2);
  const commands = (await commandsOf(read)).filter((command) => /listings|translation/.test(command));
  expect(commands).toEqual([...objects, 'find translations', 'find translations']);
});
