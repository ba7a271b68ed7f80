import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, link, read, replace, write } from '../fixture/operations.ts';
import { longestHistory, TranslationModel } from './model.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const texts = { title: 'Bonne voiture', description: 'Roule bien' };
const asEditor = () => ({ as: shop.people.editor });
const begin = async (options: object = {}, listing = shop.listing()) => {
  const input = { source: { type: 'LISTING', id: listing }, language: 'fr', fields: texts, ...options };
  return (await shop.ask(create, { input })).createTranslation.translation;
};
const changed = async (input: object, options = asEditor()) =>
  (await shop.ask(change, { input }, options)).changeTranslationStatus.translation;
const refused = (input: object, options = asEditor()) => shop.refuse(change, { input }, options);
const replaced = async (input: object, options = asEditor()) =>
  (await shop.ask(replace, { input }, options)).replaceTranslationState.translation;
const readAgain = async (id: string) => (await shop.ask(read, { id })).translation;

describe('changing and replacing', () => {
  test('a change leaves what is absent and clears what is null', async () => {
    const { id } = await begin();
    const dueAt = '2026-12-01T00:00:00.000Z';
    const first = await changed({ id, note: 'Please', dueAt });
    expect(first).toMatchObject({ note: 'Please', dueAt, status: 'DRAFT' });
    expect(await changed({ id, note: null })).toMatchObject({ note: null, dueAt });
  });

  test('a replacement clears what is absent', async () => {
    const { id } = await begin({ assigneeId: shop.people.translator.id });
    await changed({ id, note: 'Please', dueAt: '2026-12-01T00:00:00.000Z' });
    const after = await replaced({ id, status: 'IN_PROGRESS' });
    expect(after).toMatchObject({ status: 'IN_PROGRESS', note: null, dueAt: null, assigneeId: null });
  });

  test('a repetition changes nothing, the version neither', async () => {
    const { id } = await begin();
    const input = { id, status: 'IN_PROGRESS', note: 'x', dueAt: '2026-12-01T00:00:00.000Z' };
    const first = await replaced(input);
    expect(await replaced(input)).toEqual(first);
    expect(await changed({ id, status: 'IN_PROGRESS' })).toEqual(first);
  });

  test('the target may be named by any member and a language, exactly', async () => {
    const listing = shop.listing();
    const { id } = await begin({}, listing);
    const byListing = { objectType: 'LISTING', objectId: listing, language: 'FR' };
    expect((await changed({ ...byListing, status: 'IN_PROGRESS' })).id).toBe(id);
    expect((await changed({ ...byListing, objectId: id, status: 'NEEDS_REVIEW' })).id).toBe(id);
    expect((await refused({ ...byListing, language: 'de', status: 'DRAFT' })).code).toBe(
      'translation_not_found',
    );
    expect((await refused({ ...byListing, language: 'fr-CA', status: 'DRAFT' })).code).toBe(
      'translation_not_found',
    );
  });

  test.each([
    ['no target', {}],
    ['two targets', { id: newId('translation'), objectType: 'LISTING' }],
    ['half a target', { objectType: 'LISTING', objectId: newId('listing') }],
  ])('%s is refused', async (_, selector) => {
    expect((await refused({ ...selector, status: 'DRAFT' })).code).toBe('malformed_request');
  });

  test.each<[string, object, string]>([
    ['nothing to change', {}, '#'],
    ['a status that is null', { status: null }, '#/status'],
    ['a flag that is null', { outdated: null }, '#/outdated'],
    ['a digest that is none', { sourceDigest: 'x' }, '#/sourceDigest'],
    ['a note of 2,001 characters', { note: '🚗'.repeat(2001) }, '#/note'],
    ['an assignee that is none', { assigneeId: 'usr_x' }, '#/assigneeId'],
  ])('%s is refused', async (_, members, pointer) => {
    const { id } = await begin();
    expect(await refused({ id, ...members })).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer }],
    });
  });

  test('a note of 2,000 characters is fine', async () => {
    const { id } = await begin();
    expect((await changed({ id, note: '🚗'.repeat(2000) })).version).toBe(2);
  });

  test('a version that is no longer so is refused before the state is looked at', async () => {
    const { id } = await begin();
    await changed({ id, status: 'ARCHIVED' });
    expect((await refused({ id, status: 'PUBLISHED', expectedVersion: 1 })).code).toBe('precondition_failed');
    expect((await refused({ id, status: 'PUBLISHED', expectedVersion: 2 })).code).toBe('invalid_transition');
    expect((await changed({ id, status: 'DRAFT', expectedVersion: 2 })).version).toBe(3);
  });

  test('of many changes at once with one version exactly one wins', async () => {
    const { id, version } = await begin();
    const calls = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        shop.stack.execute(change, { input: { id, note: `${index}`, expectedVersion: version } }, asEditor()),
      ),
    );
    const codes = calls.map(
      ({ errors }) => (errors?.[0]?.extensions.problem as { code: string } | undefined)?.code,
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([undefined, 'precondition_failed']));
    expect((await readAgain(id)).version).toBe(version + 1);
  });

  test('the last 50 changes of a status are kept', async () => {
    const { id } = await begin();
    const translations = scoped(TranslationModel, shop.stack.demo.id);
    const entry = { at: new Date(), by: 'usr_x', from: 'draft', to: 'draft', note: null };
    await translations.updateMany(
      { _id: id },
      { $set: { history: Array.from({ length: longestHistory }, () => entry) } },
    );
    await changed({ id, status: 'IN_PROGRESS', note: 'the last one' });
    const stored = await translations.findOne({ _id: id });
    expect(stored?.history).toHaveLength(longestHistory);
    expect(stored?.history.at(-1)).toMatchObject({ to: 'in_progress', note: 'the last one' });
  });
});

describe('linked objects', () => {
  const linkedPair = async () => {
    const [source, other] = [shop.listing(), shop.listing({ languageTag: 'fr' })];
    await shop.ask(link, {
      input: { object: { type: 'LISTING', id: other }, relatedTo: { type: 'LISTING', id: source } },
    });
    return { source, other };
  };

  test('the source has the state of its listing', async () => {
    const { source } = await linkedPair();
    const target = { objectType: 'LISTING', objectId: source, language: 'en' };
    for (const members of [{ status: 'ARCHIVED' }, { note: 'x' }, { outdated: false }])
      expect((await refused({ ...target, ...members })).code).toBe('source_status_readonly');
  });

  test('the others can be put away, their texts never changed here', async () => {
    const { other } = await linkedPair();
    const target = { objectType: 'LISTING', objectId: other, language: 'fr' };
    const after = await changed({ ...target, status: 'ARCHIVED' });
    expect(after).toMatchObject({ status: 'ARCHIVED', live: false, fields: null });
    const input = { id: after.id, fields: texts, expectedVersion: after.version };
    expect((await shop.refuse(write, { input })).code).toBe('read_only_field');
  });

  test('an object without a record has no state to be changed', async () => {
    const target = { objectType: 'LISTING', objectId: shop.listing(), language: 'en' };
    expect((await refused({ ...target, status: 'DRAFT' })).code).toBe('translation_not_found');
  });
});

describe('rights', () => {
  test('nobody changes what is not his', async () => {
    const { id } = await begin();
    const code = async (as: any) => (await refused({ id, status: 'IN_PROGRESS' }, { as })).code;
    expect(await code(shop.people.rival)).toBe('ownership_required');
    expect(await code(shop.people.buyer)).toBe('permission_required');
    expect(await code(null)).toBe('token_missing');
    expect((await changed({ id, status: 'PUBLISHED' }, { as: shop.people.dealer })).status).toBe('PUBLISHED');
  });

  test('a record of another installation is not found', async () => {
    const { id } = await begin();
    const as = await shop.stack.signIn({ installation: shop.stack.other, roles: ['editor'] });
    const problem = await shop.refuse(
      change,
      { input: { id, status: 'DRAFT' } },
      { as, installation: shop.stack.other },
    );
    expect(problem.code).toBe('translation_not_found');
  });
});
