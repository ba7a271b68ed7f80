import { createLanguageSettings } from '../../subgraphs/translation/language/createLanguageSettings.ts';
import { commandsOf } from '../support/commandsOf.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import {
  type SeededDealer,
  type SeededInstallation,
  type SeededListing,
  type SeededUser,
  seed,
} from '../support/seed.ts';

let app: TestApp;
let shop: SeededInstallation;
let garage: SeededDealer;
let seller: SeededUser;
let editor: SeededUser;

beforeAll(async () => {
  app = await openTestApp();
  const languages = [{ code: 'en' }, { code: 'de' }, { code: 'fr' }, { code: 'it' }];
  await createLanguageSettings(app.stack.demo, { languages });
  shop = await seed(app.stack).in(app.stack.demo);
  garage = await shop.dealer();
  seller = await shop.user({ roles: ['seller'] });
  editor = await shop.staff('editor');
});
afterAll(() => app.close());

const base = 'http://demo.localhost';
const send = (root: string, method: string, path: string, body: object, as: SeededUser) =>
  app.send({ method, path: `/api/rest/${root}/v1/${path}`, body, token: as.token });
const seo = (path: string, body: object, as = editor) => send('seo-tools', 'POST', path, body, as);

const words = {
  title: 'Voiture d’occasion soignée',
  description: 'Une **voiture** très propre, un seul propriétaire.',
};
const revised = { ...words, description: 'La voiture a été vendue avec quatre pneus neufs en bon état.' };

async function settle(): Promise<void> {
  for (const job of ['identity.relay', 'translation.object-heads']) await app.stack.runJob(job);
}

/** A French text of a listing; answers its id. */
async function translate({ id }: SeededListing, status = 'published', fields: object = words) {
  const body = { source: { type: 'listing', id }, language: 'fr', status, fields };
  const { json } = await send('translation', 'POST', 'translations', body, editor);
  expect(json).toMatchObject({ status });
  await settle();
  return json.id as string;
}

async function change(field: string, input: object): Promise<void> {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { translation { id } } }`;
  const body = { query, variables: { input } };
  const { json } = await app.send({ method: 'POST', path: '/graphql', body, token: editor.token });
  expect(json.errors).toBeUndefined();
}
const revise = (id: string, fields: object, expectedVersion = 1) =>
  change('updateTranslationContent', { id, fields, expectedVersion });

const analysis = /* GraphQL */ `query ($input: SeoAnalysisInput!) {
  seoAnalyze(input: $input) { language { used declared } metrics { words images } inputHash }
}`;
/** The same question in either style. */
async function analyse(style: string, { id }: SeededListing, locale: string, as: SeededUser) {
  if (style === 'REST') {
    const { status, json } = await seo('analysis', { object: { type: 'listing', id }, locale }, as);
    return { status, problem: json, analysis: json };
  }
  const variables = { input: { object: { type: 'LISTING', id }, locale } };
  const body = { query: analysis, variables };
  const { json } = await app.send({ method: 'POST', path: '/graphql', body, token: as.token });
  const problem = json.errors?.[0]?.extensions?.problem;
  return { status: problem?.status ?? 200, problem, analysis: json.data?.seoAnalyze };
}
const styles = ['REST', 'GraphQL'];

/** Words of the description: `words` has seven, `revised` twelve. */
const wordsOf = async (listing: SeededListing, as: SeededUser): Promise<number> => {
  const { status, analysis: found } = await analyse('REST', listing, 'fr', as);
  return status === 200 ? found.metrics.words : status;
};

test.each(styles)('over %s an object is analysed in the words of its translation', async (style) => {
  const listing = await garage.listing({ published: true });
  await translate(listing);
  for (const as of [editor, garage.owner]) {
    const { status, analysis: found } = await analyse(style, listing, 'fr', as);
    expect({ status, ...found }).toMatchObject({
      status: 200,
      language: { used: 'fr', declared: 'fr' },
      metrics: { words: 7 },
    });
  }
});

test.each(styles)('over %s a language without a text is refused with those that have one', async (style) => {
  const listing = await garage.listing({ published: true });
  await translate(listing);
  expect(await analyse(style, listing, 'it', garage.owner)).toMatchObject({
    status: 422,
    problem: { code: 'seo_no_content_in_language', availableLanguages: ['en', 'fr'] },
  });
});

test.each(styles)(
  'over %s texts of others are refused, and those of another house are not there',
  async (style) => {
    const listing = await garage.listing({ published: true });
    await translate(listing);
    const rival = (await shop.dealer()).owner;
    const refused = await analyse(style, listing, 'fr', rival);
    expect(refused).toMatchObject({ status: 403, problem: { code: 'ownership_required' } });
    const foreign = await seed(app.stack).in(app.stack.other);
    const theirs = await (await foreign.dealer()).listing({ published: true });
    const missing = await analyse(style, theirs, 'fr', editor);
    expect(missing).toMatchObject({ status: 404, problem: { code: 'not_found' } });
  },
);

test('of a draft translation only those learn who work on it', async () => {
  const listing = await seller.listing({ published: true });
  const id = await translate(listing, 'draft');
  expect([await wordsOf(listing, editor), await wordsOf(listing, seller)]).toEqual([7, 422]);
  const { problem } = await analyse('REST', listing, 'fr', seller);
  expect(problem.availableLanguages).toEqual(['en']);
  await change('changeTranslationStatus', { id, status: 'PUBLISHED' });
  expect([await wordsOf(listing, editor), await wordsOf(listing, seller)]).toEqual([7, 7]);
  await revise(id, revised, 2);
  expect([await wordsOf(listing, editor), await wordsOf(listing, seller)]).toEqual([12, 7]);
});

test('the draft of a listing’s translation is its dealer’s, and no other dealer’s', async () => {
  const listing = await garage.listing({});
  await translate(listing, 'draft');
  expect(await wordsOf(listing, garage.owner)).toBe(7);
  expect(await wordsOf(listing, (await shop.dealer()).owner)).toBe(403);
});

test('an object linked as the translation is analysed with its own words and page, and is no copy of itself', async () => {
  const listing = await garage.listing({ published: true });
  const description = 'Ein gepflegter Wagen aus erster Hand mit vollem Scheckheft und neuen Reifen.';
  const german = await garage.listing({ published: true, language: 'de', title: 'Gutes Auto', description });
  const object = (id: string) => ({ type: 'listing', id });
  const link = { object: object(german.id), relatedTo: object(listing.id) };
  expect((await send('translation', 'POST', 'relations', link, editor)).status).toBe(201);
  for (const job of ['identity.relay', 'translation.object-heads', 'seo.page-index'])
    await app.stack.runJob(job);
  const linked = await analyse('REST', listing, 'de', garage.owner);
  const direct = await analyse('REST', german, 'de', garage.owner);
  expect(linked.analysis.inputHash).toBe(direct.analysis.inputHash);
});

test('recommendations, suggestions and dismissals are about the translation', async () => {
  const listing = await garage.listing({ published: true });
  await translate(listing);
  const object = { type: 'listing', id: listing.id };
  const { analysis: found } = await analyse('REST', listing, 'fr', editor);
  const recommended = await seo('recommendations', { object, locale: 'fr' });
  expect(recommended.json).toMatchObject({ inputHash: found.inputHash, scores: found.scores });
  const suggested = await seo('suggestions', { object, locale: 'fr', kinds: ['seo_title', 'canonical'] });
  expect(suggested.json).toMatchObject({ language: { used: 'fr' } });
  const canonical = suggested.json.items.find(({ kind }: { kind: string }) => kind === 'canonical');
  expect(canonical?.value).toBe(`${base}/fr/listings/${listing.slug}`);
  const dismissal = { object, locale: 'fr', checkId: 'content.length', dismissed: true };
  expect(await seo('recommendations/dismiss', dismissal)).toMatchObject({ status: 200 });
});

test('a stored analysis is stale when the translation changes, and a refresh reads it again', async () => {
  const listing = await garage.listing({ published: true });
  const id = await translate(listing);
  const object = { type: 'listing', id: listing.id };
  const refresh = async () => (await seo('refresh', { object, locale: 'fr' })).json;
  const latest = () =>
    app.send({
      path: `/api/rest/seo-tools/v1/analysis/listing/${listing.id}?locale=fr`,
      token: editor.token,
    });
  const first = await refresh();
  expect(first).toMatchObject({ changed: true, previous: null });
  expect((await refresh()).changed).toBe(false);
  expect((await latest()).json).toMatchObject({ stale: false, metrics: { words: 7 } });
  await revise(id, revised);
  expect((await latest()).json.stale).toBe(true);
  const second = await refresh();
  expect(second).toMatchObject({ changed: true, previous: { id: first.current.id } });
  expect((await latest()).json).toMatchObject({ stale: false, metrics: { words: 12 } });
});

test('what readers get and what is worked on are two analyses, and neither stands for the other', async () => {
  const listing = await seller.listing({ published: true });
  const id = await translate(listing);
  await revise(id, revised);
  const object = { type: 'listing', id: listing.id };
  const refresh = async (as: SeededUser) => (await seo('refresh', { object, locale: 'fr' }, as)).json;
  const counted = async (as: SeededUser) => {
    await refresh(as);
    const path = `/api/rest/seo-tools/v1/analysis/listing/${listing.id}?locale=fr`;
    return (await app.send({ path, token: editor.token })).json.metrics.words;
  };
  expect(await counted(editor)).toBe(12);
  expect(await counted(seller)).toBe(7);
  expect(await counted(editor)).toBe(12);
});

test('an audit in a language takes what has a text in it', async () => {
  const admin = await shop.staff('installation_admin');
  const listings = [await garage.listing({ published: true }), await garage.listing({ published: true })];
  const [translated, alone] = listings as [SeededListing, SeededListing];
  const id = await translate(translated);
  const items = listings.map((listing) => ({ type: 'listing', id: listing.id }));
  const { status, json } = await seo('audit-job/start', { items, locale: 'fr' }, admin);
  expect({ status, ...json }).toMatchObject({
    status: 201,
    job: { counts: { total: 1 } },
    rejected: [{ id: alone.id, code: 'seo_no_content_in_language' }],
  });
  await revise(id, revised);
  const batch = { jobId: json.job.id, itemIds: json.job.nextItemIds };
  const done = (await seo('audit-job/batch', batch, admin)).json;
  expect(done.processed).toMatchObject([{ state: 'succeeded', objectId: translated.id }]);
  const read = async (path: string) =>
    (await app.send({ path: `/api/rest/seo-tools/v1/${path}`, token: admin.token })).json;
  expect(await read(`analysis/listing/${translated.id}?locale=fr`)).toMatchObject({
    stale: false,
    metrics: { words: 12 },
  });
  const report = `audit-job/${json.job.id}/report`;
  expect((await read(report)).data).toMatchObject([{ stale: false }]);
  await revise(id, words, 2);
  expect((await read(report)).data).toMatchObject([{ stale: true }]);
});

test('texts of several objects cost the commands of one', async () => {
  const listings = [await garage.listing({ published: true }), await garage.listing({ published: true })];
  for (const listing of listings) await translate(listing);
  const query = (count: number) => {
    const asked = listings
      .slice(0, count)
      .map(
        ({ id }, index) =>
          `a${index}: seoAnalyze(input: { object: { type: LISTING, id: "${id}" }, locale: "fr" }) { inputHash }`,
      );
    return { query: `{ ${asked.join('\n')} }` };
  };
  const cost = (count: number) =>
    commandsOf(async () => {
      const body = query(count);
      const { json } = await app.send({ method: 'POST', path: '/graphql', body, token: garage.owner.token });
      expect(json.errors).toBeUndefined();
    });
  await cost(1);
  const one = await cost(1);
  expect(await cost(2)).toEqual(one);
  expect(one.filter((command) => /translation/.test(command))).toEqual([
    'find translation_object_heads',
    'find translations',
    'find translations',
    'find translations',
  ]);
});
