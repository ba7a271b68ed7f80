import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { type Caller, unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { CreatePageInput, UpdatePageInput } from '../../identity.generated.ts';
import { PageModel } from './model.ts';

const { neighbour, stack } = product();

const shop = perTest(() => neighbour());
const editor = perTest(() => shop.staff('editor'));

const create = (members: Partial<Wire<CreatePageInput>> = {}) =>
  editor.createPage({ title: unique('Page'), html: '<p>Text</p>', ...members });
const createDraft = async (members?: Partial<Wire<CreatePageInput>>) => (await create(members)).page;
const publish = (pageId: string, expectedVersion?: number) => editor.publishPage({ pageId, expectedVersion });
const createPublished = async (members?: Partial<Wire<CreatePageInput>>) =>
  (await publish((await createDraft(members)).id)).page;
const update = (pageId: string, members: Partial<Wire<UpdatePageInput>>) =>
  editor.updatePage({ pageId, ...members });
const read = (slug: string, by: Caller = shop.visitor) => by.page({ slug }, 'id slug title html publishedAt');
const countPages = () => shop.records(PageModel).count({});

test('a new page is a draft of its author in the language of the installation, with safe HTML', async () => {
  const page = await createDraft({ title: '  Über uns & mehr ', html: '<p onclick="x()">Text</p>' });
  expect(page).toMatchObject({
    id: expect.stringMatching(/^page_/),
    kind: 'PAGE',
    slug: 'uber-uns-mehr',
    url: `${shop.installation.baseUrl}/pages/uber-uns-mehr`,
    title: 'Über uns & mehr',
    html: '<p>Text</p>',
    status: 'DRAFT',
    languageTag: 'en',
    publishedAt: null,
    version: 1,
  });
  const { owner } = await editor.page({ slug: page.slug }, 'owner { id }');
  expect(owner).toEqual({ id: editor.id });
});

test('the slug of a page is derived from its title, and from its id if that results in none or is taken', async () => {
  const other = await createDraft({ title: '汽车' });
  expect(other.slug).toBe(other.id.replace('_', '-').toLowerCase());
  expect(await createDraft({ title: 'News' })).toMatchObject({ slug: 'news' });
  const second = await createDraft({ title: 'News' });
  expect(second.slug).toBe(`news-${second.id.slice(-10).toLowerCase()}`);
});

test('one of several concurrent requests to create a page with the same slug succeeds', async () => {
  expect(await concurrently(10, () => create({ slug: 'imprint' }))).toBeRefusedTimes(9, 409, 'slug_taken');
  expect(await countPages()).toBe(1);
});

test.each<[string, Partial<Wire<CreatePageInput>>, string]>([
  ['a blank title', { title: ' ' }, '#/title'],
  ['a title of 201 characters', { title: 'x'.repeat(201) }, '#/title'],
  ['a direction character in the title', { title: 'a\u202eb' }, '#/title'],
  ['other letters in the slug', { slug: 'Über-uns' }, '#/slug'],
  ['a slug of 121 characters', { slug: 'x'.repeat(121) }, '#/slug'],
  ['two hyphens in a row in the slug', { slug: 'a--b' }, '#/slug'],
  ['524,289 characters of HTML', { html: 'x'.repeat(512 * 1024 + 1) }, '#/html'],
  ['524,289 characters of two UTF-16 units', { html: '\u{1f697}'.repeat(512 * 1024 + 1) }, '#/html'],
  ['HTML that is too large after it is escaped', { html: '<'.repeat(200_000) }, '#/html'],
  ['deeply nested elements', { html: '<b>'.repeat(1000) }, '#/html'],
])('a page with %s is refused', async (_, members, pointer) => {
  expect(await create(members)).toBeInvalid(pointer);
  expect(await countPages()).toBe(0);
});

test.each([
  ['Latin', 'x'],
  ['Arabic', '\u0633'],
  ['symbols of two UTF-16 units', '\u{1f697}'],
])('a page may have 524,288 characters of HTML in every script: %s', async (_, character) => {
  const html = character.repeat(512 * 1024);
  expect(await create({ html })).toMatchObject({ page: { id: expect.any(String) } });
});

test('publishing shows a page, unpublishing hides it, and the time of the first publication is kept', async () => {
  const { id, slug } = await createDraft();
  expect(await read(slug)).toBeNull();
  expect(await read(id)).toBeNull();
  const { page } = await publish(id);
  expect(page).toMatchObject({ status: 'PUBLISHED', version: 2 });
  const { publishedAt } = page;
  expect(await read(slug)).toMatchObject({ id, html: '<p>Text</p>', publishedAt });
  expect(await read(id)).toEqual(await read(slug));
  await editor.unpublishPage({ pageId: id });
  expect(await read(slug)).toBeNull();
  stack.advance(60_000);
  expect(await publish(id)).toMatchObject({ page: { publishedAt } });
});

test('publishing a published page and unpublishing a draft are refused', async () => {
  const { id } = await createPublished();
  expect(await publish(id)).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'published', allowed: ['draft'] },
  });
  await editor.unpublishPage({ pageId: id });
  expect(await editor.unpublishPage({ pageId: id })).toBeRefused(409, 'invalid_transition', {
    allowedFrom: { state: 'draft', allowed: ['published'] },
  });
});

test('one of several concurrent publications of a page succeeds', async () => {
  const { id } = await createDraft();
  expect(await concurrently(10, () => publish(id))).toBeRefusedTimes(9);
  const audit = await shop.audits({ 'target.id': id });
  expect(audit.map(({ action }) => action).sort()).toEqual(['createPage', 'publishPage']);
});

test('a page without text cannot be published, and a published page cannot lose its text', async () => {
  const blank = await createDraft({ html: '<p> &nbsp;</p><script>x</script>' });
  expect(await publish(blank.id)).toBeInvalid('#/html');
  const { id } = await createPublished();
  expect(await update(id, { html: '' })).toBeInvalid('#/html');
});

test('an update of a page changes the stated members immediately, and keeps the version if nothing changes', async () => {
  const { id } = await createPublished({ slug: 'news', kind: 'POST' });
  const { page } = await update(id, { title: 'Newer' });
  expect(page).toMatchObject({
    title: 'Newer',
    html: '<p>Text</p>',
    slug: 'news',
    kind: 'POST',
    url: `${shop.installation.baseUrl}/posts/news`,
    version: 3,
  });
  expect(await read('news')).toMatchObject({ title: 'Newer' });
  expect(await update(id, { title: 'Newer' })).toMatchObject({ page: { version: 3 } });
});

test('a page is found by its earlier slugs, which other pages cannot use', async () => {
  const { id } = await createPublished({ slug: 'first' });
  await update(id, { slug: 'second' });
  expect(await update(id, { slug: 'third' })).toMatchObject({ page: { slug: 'third' } });
  for (const slug of ['first', 'second', 'third']) expect(await read(slug)).toMatchObject({ id });
  expect(await create({ slug: 'first' })).toBeRefused(409, 'slug_taken');
  const other = await createDraft();
  expect(await update(other.id, { slug: 'second' })).toBeRefused(409, 'slug_taken');
  expect(await update(id, { slug: 'first' })).toMatchObject({ page: { slug: 'first' } });
});

test.each(['title', 'html', 'slug', 'kind', 'languageTag'])('"%s" of a page cannot be null', async (name) => {
  const { id } = await createDraft();
  expect(await update(id, { [name]: null })).toBeInvalid(`#/${name}`);
});

test('a missing page is refused before invalid members, a stale version and an invalid state', async () => {
  const { id } = await createPublished();
  const wrong = { title: '', expectedVersion: 9 };
  expect(await update(newId('page'), wrong)).toBeRefused(404, 'not_found');
  expect(await update(id, wrong)).toBeRefused(422, 'validation_failed');
  expect(await publish(id, 9)).toBeRefused(412, 'precondition_failed');
  expect(await publish(id, 2)).toBeRefused(409, 'invalid_transition');
});

test('a deleted page is not found, and its slug can be used again', async () => {
  const { id, slug } = await createPublished();
  expect(await editor.deletePage({ pageId: id })).toEqual({ deletedPageId: id });
  expect(await read(slug)).toBeNull();
  expect(await update(id, { title: 'Gone' })).toBeRefused(404, 'not_found');
  expect(await createDraft({ slug })).toMatchObject({ slug });
});

test('changes of a page publish events with its public content, and its deletion leaves one event', async () => {
  const { id, slug } = await createDraft({ title: 'News', html: '<p>First</p>' });
  const readEvents = async () => {
    await stack.runJob('identity.relay');
    return EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean().exec();
  };
  await publish(id);
  await update(id, { html: '<p>Second</p>' });
  const events = await readEvents();
  expect(events.map(({ type }) => type)).toEqual(['object.created', 'object.published', 'object.updated']);
  expect(events[2]).toMatchObject({
    installationId: shop.installation.id,
    object: { type: 'page', id },
    contentVersion: 3,
    payload: {
      ownerId: editor.id,
      languageTag: 'en',
      visibility: 'PUBLIC',
      url: `${shop.installation.baseUrl}/pages/${slug}`,
      slug,
      title: 'News',
      html: '<p>Second</p>',
    },
  });
  await editor.unpublishPage({ pageId: id });
  const unpublished = { type: 'object.unpublished', payload: { visibility: 'PRIVATE' } };
  expect((await readEvents()).at(-1)).toMatchObject(unpublished);
  await editor.deletePage({ pageId: id });
  expect(await readEvents()).toMatchObject([{ type: 'object.deleted', contentVersion: 5, payload: null }]);
});

test('published pages are listed by kind and language, in descending order of publication', async () => {
  await createPublished({ title: 'a', kind: 'POST' });
  stack.advance(1000);
  await createPublished({ title: 'b', languageTag: 'de' });
  stack.advance(1000);
  await createPublished({ title: 'c', kind: 'POST', languageTag: 'de' });
  await createDraft({ title: 'draft' });
  const titles = async (filter: Parameters<Caller['pages']>[0] = {}) =>
    (await shop.visitor.pages(filter, 'nodes { title }')).nodes.map(({ title }) => title);
  expect(await titles()).toEqual(['c', 'b', 'a']);
  expect(await titles({ kind: 'POST' })).toEqual(['c', 'a']);
  expect(await titles({ languageTag: 'de' })).toEqual(['c', 'b']);
});

test('editors and translators can read drafts, and other users cannot', async () => {
  const { id, slug } = await createDraft();
  for (const reader of [editor, await shop.staff('translator')])
    expect(await read(slug, reader)).toMatchObject({ id });
  for (const reader of [await shop.user(), await shop.staff('moderator')])
    expect(await read(slug, reader)).toBeNull();
  const { nodes } = await editor.adminPages({ status: 'DRAFT' }, 'nodes { id status owner { id } }');
  expect(nodes).toEqual([{ id, status: 'DRAFT', owner: { id: editor.id } }]);
});

test('the author of a page is hidden from readers', async () => {
  const { slug } = await createPublished();
  const query = `{ page(slug: "${slug}") { title owner { id } } }`;
  const { body } = await shop.visitor.rest('POST', '/graphql', { body: { query } });
  expect(body.data).toEqual({ page: { title: expect.any(String), owner: null } });
  expect(body.errors).toHaveLength(1);
});

test('the texts of listed pages are read with one command, only if they are selected', async () => {
  for (let index = 0; index < 5; index += 1) await createPublished();
  const list = (selection: string) => shop.visitor.pages({}, `nodes { ${selection} }`);
  await list('title');
  expect(await commandsOf(() => list('title'))).toEqual(['find pages']);
  expect(await commandsOf(() => list('title html'))).toEqual(['find pages', 'find pages']);
});

test('a list of pages has at most four megabytes of texts, and reports an error for each omitted text', async () => {
  const html = 'x'.repeat(500 * 1024);
  for (let index = 0; index < 10; index += 1) await createPublished({ html });
  const query = '{ pages { nodes { html } } }';
  const { body } = await shop.visitor.rest('POST', '/graphql', { body: { query } });
  const texts: (string | null)[] = body.data.pages.nodes.map((page: { html: string | null }) => page.html);
  expect(texts.map((text) => text?.length ?? null)).toEqual([...Array(8).fill(html.length), null, null]);
  expect(body.errors).toHaveLength(2);
  expect(body.errors[0].extensions.problem).toMatchObject({ code: 'payload_too_large' });
});
