import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, link, read, replace, write } from '../fixture/operations.ts';
import { longestHistory, statuses, TranslationModel } from './model.ts';
import { transitions } from './statusMachine.ts';

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

/** A translation in a status, as managers bring it there. */
async function inStatus(status: string, options: object = {}) {
  const translation = await begin(options);
  const path: Record<string, string[]> = {
    DRAFT: [],
    IN_PROGRESS: ['IN_PROGRESS'],
    NEEDS_REVIEW: ['NEEDS_REVIEW'],
    PUBLISHED: ['PUBLISHED'],
    ARCHIVED: ['ARCHIVED'],
  };
  let current = translation;
  for (const step of path[status] ?? []) current = await changed({ id: translation.id, status: step });
  return current;
}

const names = statuses.map((status) => status.toUpperCase());
const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));

describe.each(['translator', 'editor'] as const)('the %s', (who) => {
  test.each(pairs)('from %s to %s: what the answer allowed is what happens', async (from, to) => {
    const as = { as: shop.people[who] };
    const { id, version } = await inStatus(from);
    const { allowedTransitions } = (await shop.ask(read, { id }, as)).translation;
    const rule = transitions[from.toLowerCase() as 'draft'][to.toLowerCase() as 'draft'];
    if (from === to) {
      expect(await changed({ id, status: to }, as)).toMatchObject({ status: from, version });
    } else if (allowedTransitions.includes(to)) {
      const after = await changed({ id, status: to }, as);
      expect(after).toMatchObject({
        status: to,
        version: version + 1,
        history: [{ from, to }, ...after.history.slice(1)],
      });
      expect(after.live).toBe(to === 'PUBLISHED' || (from === 'PUBLISHED' && to === 'IN_PROGRESS'));
    } else {
      const problem = await refused({ id, status: to }, as);
      const expected =
        rule === undefined
          ? 'invalid_transition'
          : rule === 'assignee'
            ? 'not_assignee'
            : 'transition_not_allowed';
      expect(problem.code).toBe(expected);
      if (rule === undefined) expect(problem).toMatchObject({ from: from.toLowerCase() });
      expect(await readAgain(id)).toMatchObject({ status: from, version });
    }
  });
});

describe('a published page', () => {
  test('stays as it is while its update is worked on', async () => {
    const { id } = await inStatus('PUBLISHED');
    const update = await changed({ id, status: 'IN_PROGRESS' }, { as: shop.people.translator });
    await shop.ask(write, {
      input: { id, fields: { title: 'Très bonne voiture' }, expectedVersion: update.version },
    });
    const views =
      'query ($id: ID!) { translation(id: $id) { live work: fields(view: EDITORIAL) { title } page: fields(view: PUBLIC) { title } } }';
    const before = (await shop.ask(views, { id })).translation;
    expect(before).toEqual({
      live: true,
      work: { title: 'Très bonne voiture' },
      page: { title: 'Bonne voiture' },
    });
    await changed({ id, status: 'PUBLISHED' });
    expect((await shop.ask(views, { id })).translation.page.title).toBe('Très bonne voiture');
  });

  test.each(['DRAFT', 'ARCHIVED'])('is taken down by %s', async (status) => {
    const { id } = await inStatus('PUBLISHED');
    expect(await changed({ id, status })).toMatchObject({ status, live: false });
  });

  test('is not taken down by a contributor on the way', async () => {
    const { id } = await inStatus('PUBLISHED');
    const as = { as: shop.people.translator };
    expect((await changed({ id, status: 'IN_PROGRESS' }, as)).allowedTransitions).toEqual(['NEEDS_REVIEW']);
    expect((await refused({ id, status: 'DRAFT' }, as)).code).toBe('transition_not_allowed');
  });

  test('is not live while its listing is not public', async () => {
    const listing = shop.listing();
    const { id } = await begin({ status: 'PUBLISHED' }, listing);
    shop.listing({ id: listing, visibility: 'PRIVATE' });
    expect(await readAgain(id)).toMatchObject({ status: 'PUBLISHED', live: false });
  });

  test('needs the texts that readers expect', async () => {
    const { id } = await begin({ fields: { title: 'Bonne voiture' } });
    const problem = await refused({ id, status: 'PUBLISHED' });
    expect(problem).toMatchObject({
      code: 'content_incomplete',
      errors: [{ pointer: '#/fields/description' }],
    });
  });
});

describe('who works on it', () => {
  test('a contributor leaves alone what somebody else works on', async () => {
    const { id } = await begin({ assigneeId: shop.people.colleague.id });
    const as = { as: shop.people.translator };
    expect((await refused({ id, status: 'IN_PROGRESS' }, as)).code).toBe('not_assignee');
    expect((await refused({ id, note: 'hello' }, as)).code).toBe('not_assignee');
    expect((await changed({ id, status: 'IN_PROGRESS' }, { as: shop.people.colleague })).status).toBe(
      'IN_PROGRESS',
    );
  });

  test('whoever handed it in withdraws it', async () => {
    const { translator } = shop.people;
    const { id } = await begin({ assigneeId: translator.id });
    await changed({ id, status: 'NEEDS_REVIEW' }, { as: translator });
    expect((await changed({ id, status: 'IN_PROGRESS' }, { as: translator })).status).toBe('IN_PROGRESS');
  });

  test('contributors take and give back work, managers hand it out', async () => {
    const { translator, colleague } = shop.people;
    const { id } = await begin();
    expect((await changed({ id, assigneeId: translator.id }, { as: translator })).assigneeId).toBe(
      translator.id,
    );
    expect((await refused({ id, assigneeId: colleague.id }, { as: translator })).code).toBe(
      'permission_required',
    );
    expect((await changed({ id, assigneeId: null }, { as: translator })).assigneeId).toBeNull();
    expect((await changed({ id, assigneeId: colleague.id })).assigneeId).toBe(colleague.id);
  });
});

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
    const { id } = await inStatus('ARCHIVED');
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
