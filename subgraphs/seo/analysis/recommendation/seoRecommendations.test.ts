import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { createPage } from '../../fixture/createPage.ts';
import type { SeoRecommendationsInput } from '../../seo.generated.ts';
import { DismissalModel } from '../dismissal/model.ts';

const world = product();
let editor: SeededUser;
let object: Awaited<ReturnType<typeof createPage>>;
beforeAll(async () => {
  editor = await world.market.staff('editor');
});
beforeEach(async () => {
  object = await createPage(editor);
});

const draft = {
  content: `<p>${'A car drives here. '.repeat(5)}</p>`,
  seoTitle: 'Car',
  keyphrase: 'used van',
  locale: 'en',
};
const recommend = (input: Partial<Wire<SeoRecommendationsInput>> = {}) => editor.seoRecommendations(input);
const recommendAll = (of = object, more: Partial<Wire<SeoRecommendationsInput>> = {}) =>
  recommend({ object: of, limit: 50, ...more });
const checksOf = async (of = object) => (await recommendAll(of)).items.flatMap(({ checkIds }) => checkIds);
const write = (html: string) => editor.updatePage({ pageId: object.id, html });
const dismiss = (checkId: string, dismissed = true) =>
  editor.dismissSeoRecommendation({ object, checkId, dismissed });

test('a recommendation states what to do, why, where and the gain', async () => {
  const { items, ...result } = await recommend(draft);
  expect(result).toMatchObject({ ruleset: '2026.1' });
  expect(result.inputHash).toMatch(/^sha256:/);
  expect(result.projectedScore).toBeGreaterThan(result.scores.seo.value ?? 100);
  expect(result.total).toBeGreaterThanOrEqual(items.length);
  expect(items.map(({ priority }) => priority)).toEqual(items.map((_, index) => index + 1));
  const title = items.find(({ checkIds }) => checkIds.includes('title.width'));
  expect(title).toMatchObject({ effort: 'LOW', score: 'SEO', suggestionKinds: ['SEO_TITLE'] });
  expect(title?.steps.join(' ')).toContain('pixels wide');
});

test('a limit and a minimum severity shorten the list', async () => {
  const whole = await recommend({ ...draft, limit: 50 });
  const two = await recommend({ ...draft, limit: 2 });
  expect(two).toEqual({ ...whole, items: whole.items.slice(0, 2) });
  const important = await recommend({ ...draft, limit: 50, minSeverity: 'IMPORTANT' });
  expect(important.total).toBe(whole.items.filter(({ severity }) => severity !== 'MINOR').length);
});

test('recommendations are derived from the stored analysis until the object changes', async () => {
  const fresh = await recommendAll();
  await editor.seoRefresh({ object });
  let stored: unknown;
  const commands = await commandsOf(async () => void (stored = await recommendAll()));
  expect(stored).toEqual(fresh);
  const ofSeo = commands.filter((name) => name.includes('seo_'));
  // The page is read for its recommended changes, and compared with others as in an analysis.
  expect(ofSeo).toEqual([
    'find seo_dismissals',
    'find seo_pages',
    'find seo_records',
    'find seo_records',
    'find seo_snapshots',
  ]);
  await write('<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit sed.</p>');
  expect(await checksOf()).toContain('content.placeholder');
});

test('a dismissal leads to its object', async () => {
  const input = { object, checkId: 'title.width', dismissed: true };
  const members = 'dismissal { checkId object { __typename ... on Page { id } } }';
  const { dismissal } = await editor.dismissSeoRecommendation(input, members);
  expect(dismissal).toEqual({ checkId: 'title.width', object: { __typename: 'Page', id: object.id } });
});

test('a dismissed recommendation is hidden for its object until the dismissal is undone', async () => {
  const other = await createPage(editor);
  const before = await recommendAll();
  const dismissal = { objectType: 'PAGE', objectId: object.id, locale: 'en', checkId: 'content.length' };
  for (let time = 0; time < 2; time += 1)
    expect((await dismiss('content.length')).dismissal).toMatchObject({ ...dismissal, dismissed: true });
  expect(await checksOf()).not.toContain('content.length');
  expect(await checksOf(other)).toContain('content.length');
  const { items } = await recommendAll(object, { includeDismissed: true });
  expect(items.filter(({ dismissed }) => dismissed)).toMatchObject([{ checkIds: ['content.length'] }]);
  await dismiss('content.length', false);
  expect(await recommendAll()).toEqual(before);
});

test('a dismissal ends when the value of the check changes', async () => {
  await dismiss('content.length');
  await write('<p>Another tyre for winter roads.</p>');
  expect(await checksOf()).toContain('content.length');
});

test.each(['no.such', '', '__proto__', 'constructor'])(
  'dismissing the unknown check "%s" is refused',
  async (id) => {
    const errors = [{ pointer: '#/checkId' }];
    expect(await dismiss(id)).toBeRefused(422, 'validation_failed', { errors });
  },
);

test('dismissals are deleted with their object', async () => {
  const count = () => scoped(DismissalModel, world.market.installation.id).count({ objectId: object.id });
  await dismiss('content.length');
  expect(await count()).toBe(1);
  await editor.deletePage({ pageId: object.id });
  for (const job of ['identity.relay', 'seo.erasures']) await world.stack.runJob(job);
  expect(await count()).toBe(0);
});
