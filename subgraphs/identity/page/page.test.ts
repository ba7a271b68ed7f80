import type { TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type Editing, openEditing, openEditingStack } from './fixture/openEditing.ts';
import { PageModel } from './model.ts';

let stack: TestStack;
let editing: Editing;

beforeAll(async () => {
  stack = await openEditingStack();
});
beforeEach(async () => {
  editing = await openEditing(stack);
});
afterAll(() => stack.close());

const mutate: Editing['mutate'] = (...args) => editing.mutate(...args);
const change: Editing['change'] = (...args) => editing.change(...args);
const create: Editing['create'] = (...args) => editing.create(...args);
const published: Editing['published'] = (...args) => editing.published(...args);
const show: Editing['show'] = (...args) => editing.show(...args);
const countOf = () => scoped(PageModel, editing.shop.installation.id).count({});

describe('a new page', () => {
  test('is a draft of its maker, in the installation’s language, with an address made of its title', async () => {
    const page = await create({ title: '  Über uns & mehr ', html: '<p onclick="x()">Text</p>' });
    expect(page).toEqual({
      id: expect.stringMatching(/^page_/),
      kind: 'PAGE',
      slug: 'uber-uns-mehr',
      url: `${editing.shop.installation.baseUrl}/pages/uber-uns-mehr`,
      title: 'Über uns & mehr',
      html: '<p>Text</p>',
      status: 'DRAFT',
      languageTag: 'en',
      owner: { id: editing.editor.id, displayName: expect.any(String) },
      publishedAt: null,
      version: 1,
    });
  });

  test('with a title in another script has an address all the same', async () => {
    const { id, slug } = await create({ title: '汽车' });
    expect(slug).toBe(id.replace('_', '-').toLowerCase());
  });

  test('with the title of another one has an address of its own', async () => {
    const first = await create({ title: 'News' });
    const second = await create({ title: 'News' });
    expect(first.slug).toBe('news');
    expect(second.slug).toBe(`news-${second.id.slice(-10).toLowerCase()}`);
  });

  test('under one key is made once', async () => {
    const input = { title: 'News', idempotencyKey: unique('key') };
    const results = [await mutate('createPage', input), await mutate('createPage', input)];
    const ids = results.map(({ data }) => data?.createPage.page.id);
    expect(ids[0]).toBe(ids[1]);
    expect(await countOf()).toBe(1);
  });

  test('under one name is made once, however many ask at the same moment', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () => mutate('createPage', { title: 'x', slug: 'imprint' })),
    );
    const refused = results.filter(({ errors }) => errors).map(problemOf);
    expect(refused).toHaveLength(9);
    for (const problem of refused) expect(problem).toMatchObject({ code: 'slug_taken', status: 409 });
    expect(await countOf()).toBe(1);
  });

  test.each([
    ['no title', { title: ' ' }, '#/title'],
    ['a title that is too long', { title: 'x'.repeat(201) }, '#/title'],
    ['a title that hides something', { title: 'a\u202eb' }, '#/title'],
    ['an address of other letters', { slug: 'Über-uns' }, '#/slug'],
    ['an address that is too long', { slug: 'x'.repeat(121) }, '#/slug'],
    ['an address of hyphens', { slug: 'a--b' }, '#/slug'],
    ['a text that is too large', { html: 'x'.repeat(512 * 1024 + 1) }, '#/html'],
    ['a text that is too large once it is escaped', { html: '<'.repeat(200_000) }, '#/html'],
    ['elements in each other without end', { html: '<b>'.repeat(1000) }, '#/html'],
  ])('with %s is refused and says where', async (_, input, pointer) => {
    expect(problemOf(await mutate('createPage', { title: 'Good', ...input }))).toMatchObject({
      code: 'validation_failed',
      status: 422,
      errors: [{ pointer }],
    });
    expect(await countOf()).toBe(0);
  });

  test('is made by editors and administrators alone', async () => {
    const others = [
      await editing.shop.user(),
      await editing.shop.staff('moderator'),
      await editing.shop.staff('translator'),
    ];
    for (const as of others)
      expect(problemOf(await mutate('createPage', { title: 'x' }, as)).code).toBe('permission_required');
    expect(problemOf(await mutate('createPage', { title: 'x' }, null)).code).toBe('token_missing');
    expect(
      (await mutate('createPage', { title: 'x' }, await editing.shop.staff('installation_admin'))).errors,
    ).toBe(undefined);
  });
});

describe('publication', () => {
  test('shows a draft to everybody, and taking it back hides it; the first time stays', async () => {
    const { id, slug } = await create();
    expect(await show(slug))?.toBeNull();
    expect(await show(id))?.toBeNull();
    const first = await change('publishPage', { pageId: id });
    expect(first).toMatchObject({ status: 'PUBLISHED', version: 2 });
    expect(await show(slug))?.toMatchObject({ id, html: '<p>Text</p>', publishedAt: first.publishedAt });
    expect(await show(id))?.toEqual(await show(slug));
    await change('unpublishPage', { pageId: id });
    expect(await show(slug))?.toBeNull();
    stack.advance(60_000);
    expect((await change('publishPage', { pageId: id })).publishedAt).toEqual(first.publishedAt);
  });

  test('of what is published, and taking back a draft, is refused with the way there is', async () => {
    const { id } = await published();
    expect(problemOf(await mutate('publishPage', { pageId: id }))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'published', allowed: ['draft'] },
    });
    await change('unpublishPage', { pageId: id });
    expect(problemOf(await mutate('unpublishPage', { pageId: id }))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'draft', allowed: ['published'] },
    });
  });

  test('happens once, however many ask at the same moment', async () => {
    const { id } = await create();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => mutate('publishPage', { pageId: id })),
    );
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    const audit = await scoped(AuditEventModel, editing.shop.installation.id).find({ 'target.id': id });
    expect(audit.map(({ action }) => action).sort()).toEqual(['createPage', 'publishPage']);
  });

  test('needs something to read, and what is published keeps it', async () => {
    const blank = await create({ html: '<p> &nbsp;</p><script>x</script>' });
    const refused = { code: 'validation_failed', errors: [{ pointer: '#/html' }] };
    expect(problemOf(await mutate('publishPage', { pageId: blank.id }))).toMatchObject(refused);
    const { id } = await published();
    expect(problemOf(await mutate('updatePage', { pageId: id, html: '' }))).toMatchObject(refused);
  });
});

describe('a change', () => {
  test('changes what is stated, says its version, and is what readers get at once', async () => {
    const { id } = await published({ slug: 'news', kind: 'POST' });
    const page = await change('updatePage', { pageId: id, expectedVersion: 2, title: 'Newer' });
    expect(page).toMatchObject({
      title: 'Newer',
      html: '<p>Text</p>',
      slug: 'news',
      kind: 'POST',
      version: 3,
    });
    expect(page.url).toBe(`${editing.shop.installation.baseUrl}/posts/news`);
    expect((await show('news'))?.title).toBe('Newer');
    expect(
      problemOf(await mutate('updatePage', { pageId: id, expectedVersion: 2, title: 'Late' })),
    ).toMatchObject({
      code: 'precondition_failed',
      status: 412,
    });
    expect((await change('updatePage', { pageId: id, title: 'Newer' })).version).toBe(3);
  });

  test('of the address keeps the old ones leading here, and from everybody else', async () => {
    const { id } = await published({ slug: 'first' });
    await change('updatePage', { pageId: id, slug: 'second' });
    const back = await change('updatePage', { pageId: id, slug: 'third' });
    expect(back.slug).toBe('third');
    for (const slug of ['first', 'second', 'third']) expect((await show(slug))?.id).toBe(id);
    expect(problemOf(await mutate('createPage', { title: 'x', slug: 'first' })).code).toBe('slug_taken');
    const other = await create();
    expect(problemOf(await mutate('updatePage', { pageId: other.id, slug: 'second' })).code).toBe(
      'slug_taken',
    );
    expect((await change('updatePage', { pageId: id, slug: 'first' })).slug).toBe('first');
  });

  test.each(['title', 'html', 'slug', 'kind', 'languageTag'])('cannot empty "%s"', async (member) => {
    const { id } = await create();
    expect(problemOf(await mutate('updatePage', { pageId: id, [member]: null }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: `#/${member}` }],
    });
  });

  test('is refused for the page first, then for what is stated, its version and its state', async () => {
    const { id } = await published();
    const code = async (name: string, input: object) => problemOf(await mutate(name, input)).code;
    const wrong = { title: '', expectedVersion: 9 };
    expect(await code('updatePage', { pageId: newId('page'), ...wrong })).toBe('not_found');
    expect(await code('updatePage', { pageId: id, ...wrong })).toBe('validation_failed');
    expect(await code('publishPage', { pageId: id, expectedVersion: 9 })).toBe('precondition_failed');
    expect(await code('publishPage', { pageId: id, expectedVersion: 2 })).toBe('invalid_transition');
  });

  test('of a page that is gone, or of another installation, is a change of nothing', async () => {
    const { id, slug } = await create();
    expect((await mutate('deletePage', { pageId: id })).data?.deletePage.deletedPageId).toBe(id);
    expect((await create({ slug })).slug).toBe(slug);
    const abroad = await seed(stack).installation();
    const foreign = await scoped(PageModel, abroad.installation.id).insert({
      _id: newId('page'),
      kind: 'page',
      slug: 'abroad',
      slugs: ['abroad'],
      title: 'Abroad',
      html: '<p>Abroad</p>',
      htmlBytes: 13,
      status: 'published',
      ownerId: newId('user'),
      languageTag: 'en',
      publishedAt: new Date(),
      version: 1,
      createdAt: new Date(),
      updatedAt: new Date(),
    });
    for (const pageId of [id, foreign._id, newId('page'), 'no id'])
      for (const name of ['updatePage', 'publishPage', 'unpublishPage', 'deletePage'])
        expect(problemOf(await mutate(name, { pageId }))).toMatchObject({ code: 'not_found', status: 404 });
    expect(await show('abroad'))?.toBeNull();
    expect(await show(foreign._id))?.toBeNull();
    expect(await show('abroad', null, abroad))?.toMatchObject({ title: 'Abroad' });
  });
});
