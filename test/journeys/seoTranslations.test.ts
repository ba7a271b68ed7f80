import { openDesk, ref } from '../../subgraphs/translation/fixture/openDesk.ts';
import { product } from '../support/product.ts';
import type { SeededUser } from '../support/seed.ts';
import { commandsOf } from '../support/stack/commandsOf.ts';

const world = product();
const { market } = world;
const { people, dealers, car, link, translate, change, write, run } = openDesk(
  world,
  ['en', 'de', 'fr', 'it'].map((code) => ({ code })),
);

/** Texts of seven and of twelve words. */
const seven = {
  title: 'Voiture d’occasion soignée',
  description: 'Une **voiture** très propre, un seul propriétaire.',
};
const twelve = { ...seven, description: 'La voiture a été vendue avec quatre pneus neufs en bon état.' };
const noText = [422, 'seo_no_content_in_language'] as const;

const seo = (method: string, path: string, body?: object, as = people.editor) =>
  as.rest(method, `/api/rest/seo-tools/v1/${path}`, { ...(body && { body }) });
const settle = (...jobs: string[]) => run('identity.relay', 'translation.object-heads', ...jobs);
/** Translates a listing into French and returns the id of the translation. */
async function translateCar(id: string, status: 'DRAFT' | 'PUBLISHED' = 'PUBLISHED'): Promise<string> {
  const made = await translate(id, { status, fields: seven });
  await settle();
  return made.id;
}
const revise = async (id: string, fields = twelve, expectedVersion = 1) =>
  expect(await write({ id, fields, expectedVersion })).not.toBeRefused();
const analyse = (id: string, as = people.editor, locale = 'fr') =>
  as.seoAnalyze({ object: ref(id), locale }, 'language { used declared } metrics { words } inputHash');
/** Number of analysed words. */
const wordsFor = async (id: string, as: SeededUser) => (await analyse(id, as)).metrics.words;

test('an object is analysed with the texts of its translation in the requested language', async () => {
  const id = await car();
  await translateCar(id);
  for (const as of [people.editor, people.dealer]) {
    const language = { used: 'fr', declared: 'fr' };
    expect(await analyse(id, as)).toMatchObject({ language, metrics: { words: 7 } });
  }
  const available = { availableLanguages: ['en', 'fr'] };
  expect(await analyse(id, people.dealer, 'it')).toBeRefused(...noText, available);
});

test('the draft of a translation is analysed only for editors, and the published text for other callers', async () => {
  const seller = await market.user({ roles: ['seller'] });
  const { id } = await seller.listing({ published: true });
  const text = await translateCar(id, 'DRAFT');
  expect(await wordsFor(id, people.editor)).toBe(7);
  expect(await analyse(id, seller)).toBeRefused(...noText, { availableLanguages: ['en'] });
  await change({ id: text, status: 'PUBLISHED' });
  expect([await wordsFor(id, people.editor), await wordsFor(id, seller)]).toEqual([7, 7]);
  await revise(text, twelve, 2);
  expect([await wordsFor(id, people.editor), await wordsFor(id, seller)]).toEqual([12, 7]);
  const refreshedFor = async (as: SeededUser) => {
    await as.seoRefresh({ object: ref(id), locale: 'fr' });
    return (await seo('GET', `analysis/listing/${id}?locale=fr`)).body.metrics.words;
  };
  expect([await refreshedFor(people.editor), await refreshedFor(seller)]).toEqual([12, 7]);
  expect(await refreshedFor(people.editor)).toBe(12);
});

test('the draft translation of an unpublished listing is analysed for its dealer', async () => {
  const { id } = await dealers.garage.listing();
  await translateCar(id, 'DRAFT');
  expect(await wordsFor(id, people.dealer)).toBe(7);
});

test('an analysis in the language of a linked object equals the analysis of that object', async () => {
  const id = await car();
  const description = 'Ein gepflegter Wagen aus erster Hand mit vollem Scheckheft und neuen Reifen.';
  const german = await car({ language: 'de', title: 'Gutes Auto', description });
  await link({ object: ref(german), relatedTo: ref(id) });
  await settle('seo.pages');
  const { inputHash } = await analyse(german, people.dealer, 'de');
  expect((await analyse(id, people.dealer, 'de')).inputHash).toBe(inputHash);
});

test('recommendations, suggestions and dismissals use the translation in the requested language', async () => {
  const id = await car();
  await translateCar(id);
  const page = { object: { type: 'listing', id }, locale: 'fr' };
  const { inputHash, scores } = (await seo('POST', 'analysis', page)).body;
  expect((await seo('POST', 'recommendations', page)).body).toMatchObject({ inputHash, scores });
  const suggested = await seo('POST', 'suggestions', { ...page, kinds: ['seo_title', 'canonical'] });
  expect(suggested.body).toMatchObject({ language: { used: 'fr' } });
  const canonical = { kind: 'canonical', value: expect.stringContaining('/fr/listings/') };
  expect(suggested.body.items).toContainEqual(expect.objectContaining(canonical));
  const dismissal = { ...page, checkId: 'content.length', dismissed: true };
  expect(await seo('POST', 'recommendations/dismiss', dismissal)).toMatchObject({ status: 200 });
});

test('a stored analysis is stale once the translation changes, and a refresh replaces it', async () => {
  const id = await car();
  const text = await translateCar(id);
  const refresh = async () =>
    (await seo('POST', 'refresh', { object: { type: 'listing', id }, locale: 'fr' })).body;
  const latest = async () => (await seo('GET', `analysis/listing/${id}?locale=fr`)).body;
  const first = await refresh();
  expect(first).toMatchObject({ changed: true, previous: null });
  expect((await refresh()).changed).toBe(false);
  expect(await latest()).toMatchObject({ stale: false, metrics: { words: 7 } });
  await revise(text);
  expect((await latest()).stale).toBe(true);
  expect(await refresh()).toMatchObject({ changed: true, previous: { id: first.current.id } });
  expect(await latest()).toMatchObject({ stale: false, metrics: { words: 12 } });
});

test('an audit in a language includes objects with a text in it and rejects the others', async () => {
  const [translated, alone] = [await car(), await car()];
  const text = await translateCar(translated);
  const asAdmin = async (method: string, path: string, body?: object) =>
    (await seo(method, path, body, people.admin)).body;
  const items = [translated, alone].map((id) => ({ type: 'listing', id }));
  const { job, rejected } = await asAdmin('POST', 'audit-job/start', { items, locale: 'fr' });
  expect(job.counts.total).toBe(1);
  expect(rejected).toMatchObject([{ id: alone, code: 'seo_no_content_in_language' }]);
  await revise(text);
  const batch = { jobId: job.id, itemIds: job.nextItemIds };
  const { processed } = await asAdmin('POST', 'audit-job/batch', batch);
  expect(processed).toMatchObject([{ state: 'succeeded', objectId: translated }]);
  const stored = await asAdmin('GET', `analysis/listing/${translated}?locale=fr`);
  expect(stored).toMatchObject({ stale: false, metrics: { words: 12 } });
  const report = async () => (await asAdmin('GET', `audit-job/${job.id}/report`)).data;
  expect(await report()).toMatchObject([{ stale: false }]);
  await revise(text, seven, 2);
  expect(await report()).toMatchObject([{ stale: true }]);
});

test('reading the translated texts of two objects costs the same commands as those of one', async () => {
  const ids = [await car(), await car()];
  for (const id of ids) await translateCar(id);
  const cost = async (count: number) => {
    const commands = await commandsOf(async () => {
      const fields = ids.slice(0, count).map((id, index) => {
        const input = `{ object: { type: LISTING, id: "${id}" }, locale: "fr" }`;
        return `a${index}: seoAnalyze(input: ${input}) { inputHash }`;
      });
      const body = { query: `{ ${fields.join(' ')} }` };
      expect((await people.dealer.rest('POST', '/graphql', { body })).body.errors).toBeUndefined();
    });
    // These reads are cached for five seconds.
    const cached = ['find language_settings', 'find seo_rulesets'];
    return commands.filter((command) => !cached.includes(command));
  };
  await cost(1);
  const one = await cost(1);
  expect(await cost(2)).toEqual(one);
  const reads = ['find translation_object_heads', ...Array<string>(3).fill('find translations')];
  expect(one.filter((command) => command.includes('translation'))).toEqual(reads);
});
