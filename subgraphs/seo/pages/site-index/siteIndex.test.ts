import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import type { CreatePageInput } from '../../../identity/identity.generated.ts';
import type { Ask } from '../../../platform/context/AskSubgraph.ts';
import { askAlternates } from '../../../platform/federation/askAlternates.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { SeoAnalysisInput, UpdateSeoRecordInput } from '../../seo.generated.ts';
import { SeoPageModel } from './model.ts';

/** Answers of the translation subgraph by the id of a page. */
const alternatesOf = new Map<string, { hreflang: string; href: string }[]>();
let asked = 0;
let isTranslationDown = false;

const answerAlternates: Ask = async ({ representations }) => {
  asked += 1;
  if (isTranslationDown) throw new Error('The translation subgraph is down.');
  return { _entities: representations.map(({ id }) => ({ alternates: alternatesOf.get(id) ?? [] })) };
};
const world = product({ answers: new Map([[askAlternates.document, answerAlternates]]) });
let editor: SeededUser;
beforeAll(async () => {
  editor = await world.market.staff('editor');
});

interface TestPage {
  id: string;
  slug: string;
  url: string;
}

const index = () => scoped(SeoPageModel, world.market.installation.id);
async function indexPages(): Promise<void> {
  for (const job of ['identity.relay', 'seo.pages']) await world.stack.runJob(job);
}

/** Creates and publishes pages, one for each set of members. */
async function publish<const Members extends readonly Partial<Wire<CreatePageInput>>[]>(
  ...pages: Members
): Promise<{ [At in keyof Members]: TestPage }> {
  const published: TestPage[] = [];
  for (const members of pages) {
    const input = { title: unique('Title'), html: '<p>Short.</p>', ...members };
    const { page } = await editor.createPage(input, 'page { id slug url }');
    await editor.publishPage({ pageId: page.id });
    published.push(page);
  }
  await indexPages();
  return published as never;
}

const save = ({ id }: TestPage, fields: Partial<Wire<UpdateSeoRecordInput>>) =>
  editor.updateSeoRecord({ object: { type: 'PAGE', id }, ...fields });

/** Answers the ratings of the checks of a page, or why they do not apply, by the id of the check. */
async function checksOf(
  { id }: TestPage,
  sent: Wire<SeoAnalysisInput> = {},
): Promise<Record<string, string>> {
  const select = 'checks { checkId rating notApplicableReason }';
  const { checks } = await editor.seoAnalyze({ object: { type: 'PAGE', id }, ...sent }, select);
  return Object.fromEntries(
    checks.map((check) => [check.checkId, check.notApplicableReason ?? check.rating]),
  );
}

const ratingOf = async (page: TestPage, check: string, sent?: Wire<SeoAnalysisInput>) =>
  (await checksOf(page, sent))[check];

function textOf(topic: string): string {
  return `<p>${Array.from({ length: 120 }, (_, at) => `${topic}${at % 37} and ${at}`).join(' ')}.</p>`;
}

test('a keyphrase is compared with those of other pages in any form and order', async () => {
  const [own, one, two] = await publish({}, {}, {});
  await save(own, { keyphrase: 'used winter tyre' });
  expect(await ratingOf(own, 'keyphrase.unique')).toBe('GOOD');
  await save(one, { keyphrase: 'winter tyres, used' });
  expect(await ratingOf(own, 'keyphrase.unique')).toBe('OK');
  await save(two, { keyphrase: 'Used winter tyre' });
  expect(await ratingOf(own, 'keyphrase.unique')).toBe('BAD');
  await save(two, { keyphrase: null });
  expect(await ratingOf(own, 'keyphrase.unique')).toBe('OK');
});

test('a sent keyphrase is compared before it is saved', async () => {
  const [own, other] = await publish({}, {});
  await save(other, { keyphrase: 'convertible hardtop' });
  expect(await ratingOf(own, 'keyphrase.unique', { keyphrase: 'convertible hardtop' })).toBe('OK');
  expect(await ratingOf(own, 'keyphrase.unique', { keyphrase: 'roadster' })).toBe('GOOD');
});

test('a title that another published page has, or states as its SEO title, is a duplicate', async () => {
  const [own, other] = await publish({ title: 'Family Vans' }, { title: 'Family  vans' });
  expect(await ratingOf(own, 'title.unique')).toBe('BAD');
  await save(other, { seoTitle: 'Vans for large families' });
  expect(await ratingOf(own, 'title.unique')).toBe('GOOD');
  await save(own, { seoTitle: 'Vans for large families' });
  expect(await ratingOf(own, 'title.unique')).toBe('BAD');
});

test('a title of a draft, of another language or of another installation is not a duplicate', async () => {
  const title = unique('Estate cars');
  const stranger = await (await world.neighbour()).staff('editor');
  const { page } = await stranger.createPage({ title, html: '<p>Short.</p>' });
  await stranger.publishPage({ pageId: page.id });
  await editor.createPage({ title });
  const [own] = await publish({ title }, { title, languageTag: 'de' });
  expect(await ratingOf(own, 'title.unique')).toBe('GOOD');
});

test('a description is compared apart from the title', async () => {
  const [own, other] = await publish({}, {});
  const metaDescription = `All about ${own.id}.`;
  await save(own, { metaDescription });
  expect(await checksOf(own)).toMatchObject({ 'meta.unique': 'GOOD', 'title.unique': 'GOOD' });
  await save(other, { metaDescription });
  expect(await checksOf(own)).toMatchObject({ 'meta.unique': 'BAD', 'title.unique': 'GOOD' });
});

test('a near copy is found among published pages until it is deleted', async () => {
  const html = textOf('coupe');
  const [own] = await publish({ html });
  expect(await ratingOf(own, 'content.duplicate')).toBe('GOOD');
  const [copy] = await publish({ html: `<p><b>${html.slice(3, -4)}</b></p>` });
  expect(await ratingOf(own, 'content.duplicate')).toBe('BAD');
  expect(await ratingOf(own, 'content.duplicate', { content: textOf('pickup') })).toBe('GOOD');
  await editor.deletePage({ pageId: copy.id });
  await indexPages();
  expect(await ratingOf(own, 'content.duplicate')).toBe('GOOD');
});

test('an internal link is broken while its target is a draft, deleted or moved', async () => {
  const slug = unique('target');
  const [own] = await publish({ html: `<p>See <a href="/pages/${slug}">the other</a>.</p>` });
  const rateLink = async () => {
    await indexPages();
    return ratingOf(own, 'links.broken_internal');
  };
  expect(await rateLink()).toBe('targets_unknown');
  const [target] = await publish({ slug });
  const pageId = target.id;
  expect(await rateLink()).toBe('GOOD');
  await editor.unpublishPage({ pageId });
  expect(await rateLink()).toBe('BAD');
  await editor.publishPage({ pageId });
  await editor.updatePage({ pageId, slug: `${slug}-moved` });
  expect(await rateLink()).toBe('BAD');
  await editor.updatePage({ pageId, slug });
  expect(await rateLink()).toBe('GOOD');
  await editor.deletePage({ pageId });
  expect(await rateLink()).toBe('BAD');
});

describe('pages in other languages', () => {
  const english = ({ url: href }: TestPage) => ({ hreflang: 'en', href });
  /** An English and a German page that are linked. */
  async function publishPair() {
    const [own, other] = await publish({}, { languageTag: 'de' });
    const german = { hreflang: 'de', href: other.url };
    alternatesOf.set(own.id, [english(own), german, { hreflang: 'x-default', href: own.url }]);
    return { own, other, german };
  }

  test('alternates are valid while search engines index each of them', async () => {
    const { own, other } = await publishPair();
    expect(await ratingOf(own, 'hreflang.valid')).toBe('GOOD');
    await save(other, { noindex: true });
    expect(await ratingOf(own, 'hreflang.valid')).toBe('BAD');
    await save(other, { noindex: false, canonicalUrl: own.url });
    expect(await ratingOf(own, 'hreflang.valid')).toBe('BAD');
    await save(other, { canonicalUrl: other.url });
    expect(await ratingOf(own, 'hreflang.valid')).toBe('GOOD');
  });

  test('alternates are judged by language and address of the page, and by valid language tags', async () => {
    const { own, german } = await publishPair();
    const link = (hreflang: string, href = `https://cars.example/${hreflang}`) => ({ hreflang, href });
    const rows = [
      [[link('en', own.url.replace('/pages/', '/en/pages/')), german], 'GOOD'],
      [[german, link('fr')], 'BAD'],
      [[english(own), link('de-x-formal')], 'BAD'],
    ] as const;
    for (const [links, rating] of rows) {
      alternatesOf.set(own.id, [...links]);
      expect(await ratingOf(own, 'hreflang.valid')).toBe(rating);
    }
  });

  test('alternates are not judged if there are none or the translation subgraph does not answer', async () => {
    const { own } = await publishPair();
    const unjudged = { 'hreflang.valid': 'no_translations', 'title.unique': 'GOOD' };
    isTranslationDown = true;
    try {
      expect(await checksOf(own)).toMatchObject(unjudged);
    } finally {
      isTranslationDown = false;
    }
    alternatesOf.delete(own.id);
    expect(await checksOf(own)).toMatchObject(unjudged);
  });

  test('an analysis asks for the alternates once', async () => {
    const { own } = await publishPair();
    const before = asked;
    await checksOf(own);
    expect(asked).toBe(before + 1);
  });
});

test('an event of an earlier version does not change the index', async () => {
  const [own] = await publish({});
  await index().updateMany({ _id: own.id }, { $set: { contentVersion: 99 } });
  const before = await index().findOne({ _id: own.id });
  await editor.updatePage({ pageId: own.id, title: 'Older' });
  await indexPages();
  expect(await index().findOne({ _id: own.id })).toEqual(before);
});

test('of a deleted object only its id and version are kept', async () => {
  const [own] = await publish({ html: textOf('hatchback') });
  await editor.deletePage({ pageId: own.id });
  await indexPages();
  const noKeys = { address: null, titleKey: null, fingerprint: null, bands: [], links: [] };
  const noText = { title: '', url: null, slug: null, languageTag: null };
  const gone = { deleted: true, visibility: 'PRIVATE', ...noKeys, ...noText };
  expect(await index().findOne({ _id: own.id })).toMatchObject(gone);
});

test('other pages are read through indexes by the same commands, however many there are', async () => {
  const members = { title: unique('Minivans'), html: textOf('minivan') };
  const analyze = () => checksOf(own, { keyphrase: 'minivan' });
  // The ruleset is cached for some seconds.
  const commands = async () => (await commandsOf(analyze)).filter((one) => one !== 'find seo_rulesets');
  const [own] = await publish(members, members);
  const few = await commands();
  await publish(...Array.from({ length: 10 }, () => members));
  expect(await commands()).toEqual(few);
  const plans = await indexesOf(analyze);
  const ours = plans.filter(({ command }) => /seo_pages|seo_records/.test(command));
  expect(ours.length).toBeGreaterThanOrEqual(4);
  expect(ours.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

test('a refresh stores the comparison with other pages', async () => {
  const title = unique('Roadsters');
  const [own] = await publish({ title }, { title });
  const { current } = await editor.seoRefresh({ object: { type: 'PAGE', id: own.id } });
  expect(current.checks.find(({ checkId }) => checkId === 'title.unique')?.rating).toBe('BAD');
});
