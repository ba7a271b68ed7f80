import type { Wire } from '../../../../test/support/operations.ts';
import { storeMedia } from '../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { createPage } from '../../fixture/createPage.ts';
import type { SeoAnalysisInput } from '../../seo.generated.ts';

const text = '<h2>Winter tyres</h2><p>A winter tyre grips better on snow. We fit each winter tyre today.</p>';
const page = { title: 'Winter tyre set', html: text };

const { market } = product();
let seller: SeededUser;
let editor: SeededUser;
let object: Awaited<ReturnType<typeof createPage>>;
beforeAll(async () => {
  seller = await market.seller();
  editor = await market.staff('editor');
  object = await createPage(editor, page);
});

const analyze = (input: Wire<SeoAnalysisInput>) => editor.seoAnalyze(input);
const seoCommandsOf = async (input: Wire<SeoAnalysisInput>) =>
  (await commandsOf(() => analyze(input))).filter((command) => command.includes(' seo_'));

test('an analysis states verdicts, their places and the outline', async () => {
  const analysis = await analyze({ content: text, title: 'Tyres', keyphrase: 'winter tyre', locale: 'en' });
  const source = { content: 'REQUEST' };
  expect(analysis).toMatchObject({ profile: 'ARTICLE', source, language: { used: 'en' } });
  expect(analysis.inputHash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(analysis.outline).toEqual([{ level: 2, text: 'Winter tyres', start: 0 }]);
  const density = analysis.checks.find(({ checkId }) => checkId === 'keyphrase.density');
  expect(density).toMatchObject({ group: 'KEYPHRASE', applicable: true, keyphrase: 'winter tyre' });
  const [position] = density?.positions ?? [];
  expect(text.slice(position?.start, position?.end).toLowerCase()).toContain('winter');
});

test('a saved listing is analysed as a product', async () => {
  const { id } = await seller.listing();
  const analysis = await seller.seoAnalyze({ object: { type: 'LISTING', id } });
  const source = { content: 'OBJECT' };
  expect(analysis).toMatchObject({ profile: 'PRODUCT', source, language: { declared: 'en' } });
});

test.each([
  ['of another kind', newId('dealer')],
  ['of no valid form', 'lst_1'],
])('an object with an id %s is not found', async (_, id) => {
  expect(await analyze({ object: { type: 'LISTING', id } })).toBeRefused(404, 'not_found');
});

test.each([{}, { content: null }, { title: 'Only a title' }])(
  'an analysis of %j, without text and object, is refused',
  async (input) => {
    expect(await analyze(input)).toBeRefused(422, 'seo_no_content_source');
  },
);

test('a saved text is analysed in its own language only, a sent text in any language', async () => {
  const german = { object, locale: 'de' };
  const available = { availableLanguages: ['en'] };
  expect(await analyze(german)).toBeRefused(422, 'seo_no_content_in_language', available);
  expect(await analyze({ ...german, content: '<p>Ein Satz auf Deutsch.</p>' })).toMatchObject({
    source: { content: 'REQUEST', words: 4 },
    language: { declared: 'de' },
    metrics: { titlePixels: null },
  });
});

test('a sent member replaces the saved one, also if it is empty or null', async () => {
  const widthWith = async (title: object) => (await analyze({ object, ...title })).metrics.titlePixels;
  const saved = await widthWith({});
  expect(saved).toBeGreaterThan(0);
  expect(await widthWith({ title: 'Winter tyre set with rims' })).toBeGreaterThan(saved ?? 0);
  expect(await widthWith({ title: '' })).toBeNull();
  expect(await widthWith({ title: null })).toBeNull();
  const { source } = await analyze({ object, content: null });
  expect(source).toEqual({ content: 'REQUEST', words: 0 });
});

test('saved SEO fields take part unless the request states others', async () => {
  const optimised = await createPage(editor, page);
  await editor.updateSeoRecord({ object: optimised, keyphrase: 'winter tyre', noindex: true });
  const read = async (sent: Wire<SeoAnalysisInput>) => {
    const { scores, checks } = await analyze({ object: optimised, ...sent });
    return [scores.seo.cappedBy, checks[0]?.keyphrase];
  };
  expect(await read({})).toEqual(['noindex', 'winter tyre']);
  expect(await read({ noindex: false, keyphrase: 'snow' })).toEqual([null, 'snow']);
});

test('a text without an object reads no SEO collection, and an object reads its record and other pages', async () => {
  expect(await seoCommandsOf({ content: text })).toEqual([]);
  // Its own fields, others that state its title, and others that have it.
  expect(await seoCommandsOf({ object })).toEqual(['find seo_pages', 'find seo_records', 'find seo_records']);
});

test('a keyphrase of 191 characters is analysed, whatever their length in UTF-16 units', async () => {
  const keyphrase = '🚗'.repeat(191);
  expect(await analyze({ content: text, keyphrase })).toMatchObject({ profile: 'ARTICLE' });
});

function nested(levels: number): unknown {
  return levels === 0 ? 'end' : { inner: nested(levels - 1) };
}

const long = 'x'.repeat(192);
const euro = { price: { amount: 1, currency: 'euro' } };
test.each<[string, Wire<SeoAnalysisInput>, ...string[]]>([
  ['structured data that is a number', { schema: 7 }, '#/schema'],
  ['structured data of 21 levels', { schema: nested(21) }, '#/schema'],
  ['structured data of 5,001 values', { schema: { list: Array(5001).fill(0) } }, '#/schema'],
  ['a social preview with nesting', { social: { ogTitle: { deep: 1 } } }, '#/social'],
  ['an invalid currency', { product: euro }, '#/product/price/currency'],
  ['attributes with nesting', { product: { attributes: { a: { b: 1 } } } }, '#/product/attributes'],
  ['two invalid members', { keyphrase: long, schema: true }, '#/keyphrase', '#/schema'],
])('an analysis with %s is refused', async (_, members, ...pointers) => {
  const errors = pointers.map((pointer) => ({ pointer }));
  const refusal = await analyze({ content: text, ...members });
  expect(refusal).toBeRefused(422, 'validation_failed', { errors });
});

test.each([
  [
    'of more than 524,288 characters, before its object is looked up',
    'ä'.repeat(524_289),
    { type: 'LISTING', id: 'lst_1' },
  ],
  ['of more than 60,000 words', `<p>${'a '.repeat(60_001)}</p>`, null],
] as const)('a text %s is refused', async (_, content, of) => {
  expect(await analyze({ content, object: of })).toBeRefused(413, 'payload_too_large');
});

test('a text of 50,000 Russian words is analysed', async () => {
  const content = `<p>${'машина была '.repeat(25_000)}</p>`;
  const input = { content, locale: 'ru', checks: ['content.length'] };
  expect((await analyze(input)).metrics.words).toBe(50_000);
});

test.each([
  ['letters of two bytes', 'ä'],
  ['letters of three bytes', 'ก'],
  ['characters of four bytes', '😀'],
])('a text of 524,288 %s fits a request in both styles', async (_, character) => {
  const content = character.repeat(524_288);
  const input = { content, locale: 'en', checks: ['content.length'] };
  const path = '/api/rest/seo-tools/v1/analysis';
  expect(await editor.rest('POST', path, { body: input })).toMatchObject({ status: 200 });
  expect(await analyze(input)).toMatchObject({ profile: 'ARTICLE' });
});

test('the error of a text that is too long states the limit in characters', async () => {
  expect(await analyze({ content: 'x'.repeat(524_289) })).toBeRefused(413, 'payload_too_large', {
    limitCharacters: 524_288,
  });
});

test('a saved listing is judged by its pictures and its offer unless the request states others', async () => {
  const owner = { type: 'user', id: seller.id } as const;
  const sizes = { width: 320, height: 240, byteSize: 1, sha256: '0'.repeat(64) };
  const renditions = [{ name: 'thumb' as const, format: 'webp' as const, ...sizes }];
  const store = () => storeMedia(market.installation.id, owner, { altText: 'Tyre', renditions });
  const mediaIds = await Promise.all(Array.from({ length: 5 }, store));
  const { id } = await seller.listing({ published: true });
  await seller.setListingMedia({ listingId: id, media: mediaIds.map((mediaId) => ({ mediaId })) });
  const checksOf = async (sent: Wire<SeoAnalysisInput> = {}) => {
    const { checks } = await seller.seoAnalyze({ object: { type: 'LISTING', id }, ...sent });
    return Object.fromEntries(checks.map((check) => [check.checkId, check]));
  };
  const saved = await checksOf();
  expect(saved).toMatchObject({
    'images.present': { rating: 'GOOD', value: { images: 5 } },
    'images.alt': { rating: 'GOOD' },
    'product.offer': { rating: 'GOOD' },
    'product.identifier': { rating: 'BAD' },
  });
  const sent = await checksOf({ images: [], product: { vin: 'WBA8E9G59GNT12345' } });
  expect(sent).toMatchObject({
    'images.present': { rating: 'BAD' },
    'product.identifier': { rating: 'GOOD' },
  });
});
