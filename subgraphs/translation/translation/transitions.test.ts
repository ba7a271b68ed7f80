import { openShop, type Shop } from '../fixture/openShop.ts';
import { change, create, read, write } from '../fixture/operations.ts';
import { statuses } from './model.ts';
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
