import type { ObjectChanged, ObjectDeleted } from '../../../schema/events.ts';
import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { storeEvents } from '../../platform/events/storeEvents.ts';
import type { AskAlternates } from '../../platform/federation/askAlternates.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';
import { IndexedPageModel } from './model.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;
/** What the translation subgraph answers, by the id of a page. */
const alternatesOf = new Map<string, { hreflang: string; href: string }[]>();
let asked = 0;
let isTranslationDown = false;

beforeAll(async () => {
  const askAlternates: AskAlternates = async ({ representations }) => {
    asked += 1;
    if (isTranslationDown) throw new Error('The translation subgraph is down.');
    return { _entities: representations.map(({ id }) => ({ alternates: alternatesOf.get(id) ?? [] })) };
  };
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner, askAlternates });
  seller = await stack.signIn();
});
afterAll(() => stack.close());

interface Told {
  id: string;
  title: string;
  html: string;
  slug: string;
  language: string | null;
  isPublic: boolean;
  version: number;
  installationId: string;
}

/** A page that exists at its owner and that was told of; again with the same id it is a later version. */
function page(told: Partial<Told> = {}): Told {
  const id = told.id ?? newId('page');
  return {
    id,
    title: `Title of ${id}`,
    html: '<p>Short.</p>',
    slug: id.toLowerCase(),
    language: 'en',
    isPublic: true,
    version: 1,
    installationId: stack.demo.id,
    ...told,
  };
}

const urlOf = (slug: string): string => `https://cars.example/p/${slug}`;
let stored = 0;

async function tell(...pages: (Told | { deleted: string; version: number })[]): Promise<void> {
  const events = pages.map((told): ObjectChanged | ObjectDeleted => {
    stored += 1;
    const frame = {
      id: `evt-surrounding-${stored}-${newId('page')}`,
      at: new Date(),
      contentVersion: told.version,
    };
    if ('deleted' in told) {
      const object = { type: 'page' as const, id: told.deleted };
      return { ...frame, type: 'object.deleted', installationId: stack.demo.id, object, payload: null };
    }
    const { id, installationId, title, html, slug, language } = told;
    const content = {
      languageTag: language,
      visibility: told.isPublic ? ('PUBLIC' as const) : ('PRIVATE' as const),
      url: urlOf(slug),
      slug,
      title,
      html,
    };
    neighbour.put({
      type: 'Page',
      id,
      installationId,
      ownerId: seller.id,
      contentVersion: told.version,
      content: { ...content, fields: {} },
    });
    const payload = { ...content, ownerId: seller.id, contentDigest: '', fieldDigests: {} };
    return { ...frame, type: 'object.updated', installationId, object: { type: 'page', id }, payload };
  });
  await storeEvents(events);
  await stack.runJob('seo.page-index');
}

function indexed({ id }: Told) {
  return scoped(IndexedPageModel, stack.demo.id).findOne({ _id: id });
}

function save(told: Told, fields: object) {
  return stack.execute(
    'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { revision } } }',
    { input: { object: { type: 'PAGE', id: told.id }, ...fields } },
    { as: seller },
  );
}

const analysis = `query ($input: SeoAnalysisInput!) { seoAnalyze(input: $input) {
  checks { id rating notApplicableReason value positions { start end } } } }`;

async function checksOf(told: Told, sent: object = {}): Promise<Record<string, string>> {
  const input = { object: { type: 'PAGE', id: told.id }, ...sent };
  const { data, errors } = await stack.execute(analysis, { input }, { as: seller });
  expect(errors).toBeUndefined();
  const checks: { id: string; rating: string; notApplicableReason: string | null }[] =
    data?.seoAnalyze.checks;
  return Object.fromEntries(checks.map((check) => [check.id, check.notApplicableReason ?? check.rating]));
}

function text(topic: string, words = 120): string {
  return `<p>${Array.from({ length: words }, (_, index) => `${topic}${index % 37} and ${index}`).join(' ')}.</p>`;
}

describe('a keyphrase', () => {
  test('is used by others in any form and order, once or more often', async () => {
    const [own, one, two] = [page(), page(), page()];
    await tell(own, one, two);
    await save(own, { keyphrase: 'used winter tyre' });
    expect(await checksOf(own)).toMatchObject({ 'keyphrase.unique': 'GOOD' });
    await save(one, { keyphrase: 'winter tyres, used' });
    expect(await checksOf(own)).toMatchObject({ 'keyphrase.unique': 'OK' });
    await save(two, { keyphrase: 'Used winter tyre' });
    expect(await checksOf(own)).toMatchObject({ 'keyphrase.unique': 'BAD' });
    await save(two, { keyphrase: null });
    expect(await checksOf(own)).toMatchObject({ 'keyphrase.unique': 'OK' });
  });

  test('that is only sent is compared before it is saved', async () => {
    const [own, other] = [page(), page()];
    await tell(own, other);
    await save(other, { keyphrase: 'convertible hardtop' });
    expect(await checksOf(own, { keyphrase: 'convertible hardtop' })).toMatchObject({
      'keyphrase.unique': 'OK',
    });
    expect(await checksOf(own, { keyphrase: 'roadster' })).toMatchObject({ 'keyphrase.unique': 'GOOD' });
  });
});

describe('a title', () => {
  test('of another published page is a duplicate, whether named or stated', async () => {
    const [own, other] = [page({ title: 'Family Vans' }), page({ title: 'Family  vans' })];
    await tell(own, other);
    expect(await checksOf(own)).toMatchObject({ 'title.unique': 'BAD' });
    await save(other, { seoTitle: 'Vans for large families' });
    expect(await checksOf(own)).toMatchObject({ 'title.unique': 'GOOD' });
    await save(own, { seoTitle: 'Vans for large families' });
    expect(await checksOf(own)).toMatchObject({ 'title.unique': 'BAD' });
  });

  test('of a draft, of another language or of another installation is none', async () => {
    const title = `Estate cars ${newId('page')}`;
    const own = page({ title });
    const elsewhere = 'ins_elsewhere';
    await tell(
      own,
      page({ title, isPublic: false }),
      page({ title, language: 'de' }),
      page({ title, installationId: elsewhere }),
    );
    expect(await checksOf(own)).toMatchObject({ 'title.unique': 'GOOD' });
  });

  test('and a description are compared for themselves', async () => {
    const [own, other] = [page(), page()];
    await tell(own, other);
    const metaDescription = `All about ${own.id}.`;
    await save(own, { metaDescription });
    expect(await checksOf(own)).toMatchObject({ 'meta.unique': 'GOOD', 'title.unique': 'GOOD' });
    await save(other, { metaDescription });
    expect(await checksOf(own)).toMatchObject({ 'meta.unique': 'BAD', 'title.unique': 'GOOD' });
  });
});

describe('a near copy', () => {
  test('is found among published pages, and not when it is gone', async () => {
    const html = text('coupe');
    const [own, other] = [
      page({ html }),
      page({ html: html.replace('<p>', '<p><b>').replace('</p>', '</b></p>') }),
    ];
    await tell(own);
    expect(await checksOf(own)).toMatchObject({ 'content.duplicate': 'GOOD' });
    await tell(other);
    expect(await checksOf(own)).toMatchObject({ 'content.duplicate': 'BAD' });
    expect(await checksOf(own, { content: text('pickup') })).toMatchObject({ 'content.duplicate': 'GOOD' });
    await tell({ deleted: other.id, version: 2 });
    expect(await checksOf(own)).toMatchObject({ 'content.duplicate': 'GOOD' });
  });
});

describe('an internal link', () => {
  test('breaks when its target is withdrawn, deleted or moves, and heals when it comes back', async () => {
    const target = page();
    const own = page({ html: `<p>See <a href="/p/${target.slug}">the other</a>.</p>` });
    await tell(own);
    expect(await checksOf(own)).toMatchObject({ 'links.broken_internal': 'targets_unknown' });
    await tell(target);
    expect(await checksOf(own)).toMatchObject({ 'links.broken_internal': 'GOOD' });
    await tell({ ...target, isPublic: false, version: 2 });
    expect(await checksOf(own)).toMatchObject({ 'links.broken_internal': 'BAD' });
    await tell({ ...target, version: 3, slug: `${target.slug}-moved` });
    expect(await checksOf(own)).toMatchObject({ 'links.broken_internal': 'BAD' });
    await tell({ ...target, version: 4 });
    expect(await checksOf(own)).toMatchObject({ 'links.broken_internal': 'GOOD' });
    await tell({ deleted: target.id, version: 5 });
    expect(await checksOf(own)).toMatchObject({ 'links.broken_internal': 'BAD' });
  });
});

describe('pages in other languages', () => {
  /** An English page and a German one that are linked. */
  async function pair() {
    const [own, other] = [page(), page({ language: 'de' })];
    await tell(own, other);
    const links = [
      { hreflang: 'en', href: urlOf(own.slug) },
      { hreflang: 'de', href: urlOf(other.slug) },
      { hreflang: 'x-default', href: urlOf(own.slug) },
    ];
    alternatesOf.set(own.id, links);
    return { own, other, links };
  }

  test('name each other as long as search engines read each for itself', async () => {
    const { own, other } = await pair();
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'GOOD' });
    await save(other, { noindex: true });
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'BAD' });
    await save(other, { noindex: false, canonicalUrl: urlOf(own.slug) });
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'BAD' });
    await save(other, { canonicalUrl: urlOf(other.slug) });
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'GOOD' });
  });

  test('know a page by its language where its address is another one there', async () => {
    const { own, links } = await pair();
    alternatesOf.set(own.id, [{ hreflang: 'en', href: urlOf(`en/${own.slug}`) }, ...links.slice(1, 2)]);
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'GOOD' });
  });

  test('are no pair when this page is in none of the links, or a language is none', async () => {
    const { own, links } = await pair();
    alternatesOf.set(own.id, [...links.slice(1, 2), { hreflang: 'fr', href: urlOf('french') }]);
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'BAD' });
    alternatesOf.set(own.id, [...links.slice(0, 1), { hreflang: 'de-x-formal', href: urlOf('formal') }]);
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'BAD' });
  });

  test('are not judged where there are none, or where nobody can be asked, and the rest is', async () => {
    const { own } = await pair();
    isTranslationDown = true;
    try {
      expect(await checksOf(own)).toMatchObject({
        'hreflang.valid': 'no_translations',
        'title.unique': 'GOOD',
      });
    } finally {
      isTranslationDown = false;
    }
    alternatesOf.delete(own.id);
    expect(await checksOf(own)).toMatchObject({ 'hreflang.valid': 'no_translations' });
  });

  test('are asked about once for a page', async () => {
    const { own } = await pair();
    const before = asked;
    await checksOf(own);
    expect(asked).toBe(before + 1);
  });
});

describe('the index', () => {
  test('keeps what is newer when an older event comes again', async () => {
    const own = page({ version: 3, title: 'Newest' });
    await tell(own);
    const before = await indexed(own);
    await tell({ ...own, version: 2, title: 'Older' });
    expect(await indexed(own)).toEqual(before);
  });

  test('keeps the id of a deleted object and nothing else of it', async () => {
    const own = page({ html: text('hatchback') });
    await tell(own, { deleted: own.id, version: 2 });
    expect(await indexed(own)).toMatchObject({
      published: false,
      address: null,
      titleKey: null,
      fingerprint: null,
      bands: [],
      links: [],
    });
  });

  test('is read by index, with as many commands for one other page as for forty', async () => {
    const title = `Minivans ${newId('page')}`;
    const html = text('minivan');
    const own = page({ title, html });
    const others = Array.from({ length: 40 }, () => page({ title, html }));
    await tell(own, ...others.slice(0, 1));
    const one = await countCommands(() => checksOf(own, { keyphrase: 'minivan' }));
    await tell(...others.slice(1));
    const many = await countCommands(() => checksOf(own, { keyphrase: 'minivan' }));
    expect(many.commands.length).toBe(one.commands.length);
    const plans = await indexesOf(() => checksOf(own, { keyphrase: 'minivan' }));
    const ours = plans.filter(({ command }) => /seo_page_index|seo_records/.test(command));
    expect(ours.length).toBeGreaterThanOrEqual(4);
    expect(ours.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  });
});

test('a refresh stores what the others said at that moment', async () => {
  const title = `Roadsters ${newId('page')}`;
  const own = page({ title });
  await tell(own, page({ title }));
  const { data, errors } = await stack.execute(
    'mutation ($input: SeoRefreshInput!) { seoRefresh(input: $input) { current { checks { id rating } } } }',
    { input: { object: { type: 'PAGE', id: own.id } } },
    { as: seller },
  );
  expect(errors).toBeUndefined();
  expect(data?.seoRefresh.current.checks).toContainEqual({ id: 'title.unique', rating: 'BAD' });
});
