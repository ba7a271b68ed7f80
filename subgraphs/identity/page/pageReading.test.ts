import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import type { TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { EventModel } from '../../platform/events/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { type Editing, openEditing, openEditingStack } from './fixture/openEditing.ts';

let stack: TestStack;
let editing: Editing;

beforeAll(async () => {
  stack = await openEditingStack();
});
beforeEach(async () => {
  editing = await openEditing(stack);
});
afterAll(() => stack.close());

const call: Editing['call'] = (...args) => editing.call(...args);
const mutate: Editing['mutate'] = (...args) => editing.mutate(...args);
const change: Editing['change'] = (...args) => editing.change(...args);
const create: Editing['create'] = (...args) => editing.create(...args);
const published: Editing['published'] = (...args) => editing.published(...args);
const show: Editing['show'] = (...args) => editing.show(...args);

test('a page tells other subgraphs what happens to it, with what readers see, and in the end nothing but that it is gone', async () => {
  const { id, slug } = await create({ title: 'News', html: '<p>First</p>' });
  const told = async () => {
    await stack.runJob('identity.relay');
    return EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
  };
  await change('publishPage', { pageId: id });
  await change('updatePage', { pageId: id, html: '<p>Second</p>' });
  const events = await told();
  expect(events.map(({ type }) => type)).toEqual(['object.created', 'object.published', 'object.updated']);
  expect(events[2]).toMatchObject({
    installationId: editing.shop.installation.id,
    object: { type: 'page', id },
    contentVersion: 3,
    payload: {
      ownerId: editing.editor.id,
      languageTag: 'en',
      visibility: 'PUBLIC',
      url: `${editing.shop.installation.baseUrl}/pages/${slug}`,
      slug,
      title: 'News',
      html: '<p>Second</p>',
    },
  });
  await change('unpublishPage', { pageId: id });
  expect((await told()).at(-1)).toMatchObject({
    type: 'object.unpublished',
    payload: { visibility: 'PRIVATE' },
  });
  await mutate('deletePage', { pageId: id });
  expect(await told()).toMatchObject([{ type: 'object.deleted', contentVersion: 5, payload: null }]);
});

describe('reading', () => {
  const lists = `query ($kind: PageKind, $languageTag: LanguageTag, $first: Int, $after: String) {
    pages(kind: $kind, languageTag: $languageTag, first: $first, after: $after) {
      nodes { id title } pageInfo { hasNextPage endCursor } } }`;
  const titles = async (variables: object = {}): Promise<string[]> => {
    const { data } = await call(lists, variables, null);
    return data?.pages.nodes.map(({ title }: { title: string }) => title);
  };

  test('lists what is published, the latest first, by kind and language, page by page', async () => {
    for (const [title, options] of [
      ['a', { kind: 'POST' }],
      ['b', { languageTag: 'de' }],
      ['c', { kind: 'POST', languageTag: 'de' }],
    ] as const) {
      await published({ title, ...options });
      stack.advance(1000);
    }
    await create({ title: 'draft' });
    expect(await titles()).toEqual(['c', 'b', 'a']);
    expect(await titles({ kind: 'POST' })).toEqual(['c', 'a']);
    expect(await titles({ languageTag: 'de' })).toEqual(['c', 'b']);
    const first = await call(lists, { first: 2 }, null);
    expect(await titles({ first: 2, after: first.data?.pages.pageInfo.endCursor })).toEqual(['a']);
  });

  test('shows drafts to those who work on them, and to them alone, until this very moment', async () => {
    const { id, slug } = await create();
    expect((await show(slug, editing.editor))?.id).toBe(id);
    expect(await show(slug, await editing.shop.user()))?.toBeNull();
    expect(await show(slug, await editing.shop.staff('moderator')))?.toBeNull();
    expect((await show(slug, await editing.shop.staff('translator')))?.id).toBe(id);
    const all = await call('{ adminPages(status: DRAFT) { nodes { id status owner { id } } } }', {});
    expect(all.data?.adminPages.nodes).toEqual([{ id, status: 'DRAFT', owner: { id: editing.editor.id } }]);
    expect(problemOf(await call('{ adminPages { nodes { id } } }', {}, await editing.shop.user())).code).toBe(
      'permission_required',
    );
  });

  test('never shows a reader who made a page', async () => {
    const { slug } = await published();
    const source = 'query ($slug: String!) { page(slug: $slug) { title owner { id } } }';
    const { data, errors } = await call(source, { slug }, null);
    expect(data?.page).toEqual({ title: expect.any(String), owner: null });
    expect(errors).toHaveLength(1);
  });

  test.each(['', '$where', '../me', 'x'.repeat(500), newId('page'), newId('listing')])(
    'finds nothing under %j',
    async (slug) => {
      expect(await show(slug))?.toBeNull();
    },
  );

  test('asks for texts in one command where they are wanted, and for none where they are not', async () => {
    for (let index = 0; index < 5; index += 1) await published();
    const list = (selection: string) => call(`{ pages { nodes { ${selection} } } }`, {}, null);
    await list('title');
    expect(await commandsOf(() => list('title'))).toEqual(['find pages']);
    expect(await commandsOf(() => list('title html'))).toEqual(['find pages', 'find pages']);
    for (const source of ['{ pages { nodes { html } } }', '{ pages(kind: POST) { nodes { id } } }'])
      for (const { indexes } of await indexesOf(() => call(source, {}, null)))
        expect(indexes.length).toBeGreaterThan(0);
    const [bySlug] = await indexesOf(() => show('imprint'));
    expect(bySlug?.indexes).toContainEqual(expect.stringMatching(/slugs/));
  });

  test('answers no more than four megabytes of texts at once, and says so where they end', async () => {
    const html = 'x'.repeat(500 * 1024);
    for (let index = 0; index < 10; index += 1) await published({ html });
    const { data, errors } = await call('{ pages { nodes { id html } } }', {}, null);
    const texts = data?.pages.nodes.map((node: { html: string | null }) => node.html?.length ?? null);
    expect(texts.filter((length: number | null) => length !== null)).toHaveLength(8);
    expect(texts).toHaveLength(10);
    expect(errors).toHaveLength(2);
    expect(problemOf({ errors: errors ?? [] })).toMatchObject({ code: 'payload_too_large' });
  });
});
