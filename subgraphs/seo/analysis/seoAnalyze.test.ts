import { createNeighbour } from '../../../test/support/createNeighbour.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { newId } from '../../platform/ids/newId.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { buildSeo } from '../server.ts';

const neighbour = createNeighbour();
let stack: TestStack;
let seller: SignedIn;
let editor: SignedIn;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo], askOwner: neighbour.askOwner });
  seller = await stack.signIn({ roles: ['buyer', 'seller'] });
  editor = await stack.signIn({ roles: ['editor'] });
});
afterAll(() => stack.close());

const everything = `query ($input: SeoAnalysisInput!) { seoAnalyze(input: $input) {
  engineVersion ruleset inputHash profile source { content words }
  language { declared used detected confidence level stemming }
  scores { seo { value rating earned possible applicable cappedBy } readability { value rating } }
  checks { id group keyphrase applicable notApplicableReason rating points maxPoints value
    message { code params text } positions { field start end excerpt } }
  related { keyphrase score { value rating } checks { id rating } }
  metrics { words sentences headings images titlePixels metaDescriptionLength }
  outline { level text start } warnings { code pointer message } } }`;

const text = '<h2>Winter tyres</h2><p>A winter tyre grips better on snow. We fit each winter tyre today.</p>';

function analyze(input: object, as: SignedIn | null = seller, installation = stack.demo) {
  return stack.execute(everything, { input }, { as, installation });
}

/** A listing in the neighbour's table; whose and in which language can be said. */
function putListing({ ownerId = seller.id, installationId = stack.demo.id, languageTag = 'en' } = {}) {
  const id = newId('listing');
  neighbour.put({
    type: 'Listing',
    id,
    installationId,
    ownerId,
    contentVersion: 1,
    content: {
      languageTag,
      visibility: 'PRIVATE',
      url: null,
      slug: 'winter-tyre-set',
      title: 'Winter tyre set',
      html: text,
      fields: {},
    },
  });
  return id;
}

test('an analysis says what was judged, where and why', async () => {
  const { data, errors } = await analyze({
    content: text,
    title: 'Tyres',
    keyphrase: 'winter tyre',
    locale: 'en',
  });
  expect(errors).toBeUndefined();
  const analysis = data?.seoAnalyze;
  expect(analysis).toMatchObject({
    profile: 'ARTICLE',
    source: { content: 'REQUEST' },
    language: { used: 'en' },
  });
  expect(analysis.inputHash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(analysis.outline).toEqual([{ level: 2, text: 'Winter tyres', start: text.indexOf('<h2>') }]);
  const density = analysis.checks.find(({ id }: { id: string }) => id === 'keyphrase.density');
  expect(density).toMatchObject({ group: 'KEYPHRASE', applicable: true, keyphrase: 'winter tyre' });
  const [position] = density.positions;
  expect(text.slice(position.start, position.end).toLowerCase()).toContain('winter');
});

test('the same input gives the same bytes', async () => {
  const input = { content: text, keyphrase: 'winter tyre', synonyms: ['snow tyre'], locale: 'en' };
  const answers = new Set<string>();
  for (let run = 0; run < 3; run += 1) answers.add(JSON.stringify(await analyze(input)));
  expect(answers.size).toBe(1);
});

describe('who may analyse', () => {
  test('a stranger is told to send a token', async () => {
    expect(problemOf(await analyze({ content: text }, null))).toMatchObject({
      status: 401,
      code: 'token_missing',
    });
  });

  test('a buyer lacks the permission', async () => {
    const buyer = await stack.signIn({ roles: ['buyer'] });
    expect(problemOf(await analyze({ content: text }, buyer))).toMatchObject({
      status: 403,
      code: 'permission_required',
      requiredPermission: 'seo:edit',
    });
  });

  test('a token of another installation is refused', async () => {
    const result = await analyze({ content: text }, seller, stack.other);
    expect(problemOf(result)).toMatchObject({ status: 403, code: 'installation_mismatch' });
  });

  test('a seller analyses his own listing, an editor everybody’s', async () => {
    const input = { object: { type: 'LISTING', id: putListing() } };
    for (const who of [seller, editor]) {
      const { data, errors } = await analyze(input, who);
      expect(errors).toBeUndefined();
      expect(data?.seoAnalyze).toMatchObject({
        profile: 'PRODUCT',
        source: { content: 'OBJECT' },
        language: { declared: 'en' },
      });
    }
  });

  test('a member of the owning dealer analyses its listings', async () => {
    const dealerId = newId('dealer');
    const agent = await stack.signIn({ roles: ['buyer'], dealers: [{ dealerId, role: 'agent' }] });
    const { errors } = await analyze(
      { object: { type: 'LISTING', id: putListing({ ownerId: dealerId }) } },
      agent,
    );
    expect(errors).toBeUndefined();
  });

  test('somebody else’s listing is refused by ownership', async () => {
    const id = putListing({ ownerId: newId('user') });
    const result = await analyze({ object: { type: 'LISTING', id } });
    expect(problemOf(result)).toMatchObject({ status: 403, code: 'ownership_required' });
  });

  test.each([
    ['that never existed', () => newId('listing')],
    ['of another installation', () => putListing({ installationId: stack.other.id })],
    ['whose id is of another kind', () => newId('dealer')],
    ['whose id is no id', () => 'lst_1'],
  ])('a listing %s does not exist', async (_, id) => {
    const result = await analyze({ object: { type: 'LISTING', id: id() } });
    expect(problemOf(result)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('an id of the wrong kind is refused without asking anybody', async () => {
    const before = neighbour.questions;
    await analyze({ object: { type: 'DEALER', id: newId('listing') } });
    expect(neighbour.questions).toBe(before);
  });
});

describe('what is analysed', () => {
  test('without content and object there is nothing', async () => {
    for (const input of [{}, { content: null }, { title: 'Only a title' }]) {
      expect(problemOf(await analyze(input))).toMatchObject({ status: 422, code: 'seo_no_content_source' });
    }
  });

  test('only text of exactly the language counts', async () => {
    const id = putListing({ languageTag: 'en' });
    const result = await analyze({ object: { type: 'LISTING', id }, locale: 'de' });
    expect(problemOf(result)).toMatchObject({
      status: 422,
      code: 'seo_no_content_in_language',
      availableLanguages: ['en'],
    });
  });

  test('content that is sent is analysed in any language, beside nothing saved of another one', async () => {
    const id = putListing({ languageTag: 'en' });
    const { data } = await analyze({
      object: { type: 'LISTING', id },
      locale: 'de',
      content: '<p>Ein Satz auf Deutsch.</p>',
    });
    expect(data?.seoAnalyze).toMatchObject({
      source: { content: 'REQUEST', words: 4 },
      language: { declared: 'de' },
      metrics: { titlePixels: null },
    });
  });

  test('a member that is sent overrides the saved one, an empty and a null one too', async () => {
    const object = { type: 'LISTING', id: putListing() };
    const widthWith = async (title: object) =>
      (await analyze({ object, ...title })).data?.seoAnalyze.metrics.titlePixels;
    const saved = await widthWith({});
    expect(saved).toBeGreaterThan(0);
    expect(await widthWith({ title: 'Winter tyre set with rims' })).toBeGreaterThan(saved);
    expect(await widthWith({ title: '' })).toBeNull();
    expect(await widthWith({ title: null })).toBeNull();
    const emptied = await analyze({ object, content: null });
    expect(emptied.data?.seoAnalyze).toMatchObject({ source: { content: 'REQUEST', words: 0 } });
  });

  test('saved SEO fields take part', async () => {
    const object = { type: 'LISTING', id: putListing() };
    const saved = await stack.execute(
      'mutation ($input: UpdateSeoRecordInput!) { updateSeoRecord(input: $input) { record { id } } }',
      { input: { object, keyphrase: 'winter tyre', noindex: true } },
      { as: seller },
    );
    expect(saved.errors).toBeUndefined();
    const { data } = await analyze({ object });
    expect(data?.seoAnalyze.scores.seo.cappedBy).toBe('noindex');
    expect(data?.seoAnalyze.checks[0].keyphrase).toBe('winter tyre');
    const overridden = await analyze({ object, noindex: false, keyphrase: 'snow' });
    expect(overridden.data?.seoAnalyze.scores.seo.cappedBy).toBeNull();
    expect(overridden.data?.seoAnalyze.checks[0].keyphrase).toBe('snow');
  });

  test('a page without an object needs no SEO collection, one with an object reads its record and compares it', async () => {
    const object = { type: 'LISTING', id: putListing() };
    const ofSeo = (commands: string[]) => commands.filter((command) => command.includes(' seo_'));
    const without = await countCommands(() => analyze({ content: text }));
    expect(ofSeo(without.commands)).toEqual([]);
    const saved = await countCommands(() => analyze({ object }));
    // Its own fields; others that state its title; others that have it.
    expect(ofSeo(saved.commands)).toEqual(['find seo_records', 'find seo_records', 'find seo_page_index']);
  });
});

describe('what is refused', () => {
  const long = 'x'.repeat(192);
  test.each([
    ['a keyphrase over 191 characters', { keyphrase: long }, '#/keyphrase'],
    ['a synonym over 191 characters', { synonyms: ['fine', long] }, '#/synonyms/1'],
    ['eleven synonyms', { synonyms: Array(11).fill('word') }, '#/synonyms'],
    [
      'six related keyphrases',
      { relatedKeyphrases: Array.from({ length: 6 }, () => ({ keyphrase: 'a' })) },
      '#/relatedKeyphrases',
    ],
    [
      'a long related keyphrase',
      { relatedKeyphrases: [{ keyphrase: long }] },
      '#/relatedKeyphrases/0/keyphrase',
    ],
    ['a long alternative text', { images: [{ src: 'a.jpg', alt: 'x'.repeat(1001) }] }, '#/images/0/alt'],
    ['structured data that is a number', { schema: 7 }, '#/schema'],
    ['structured data of 21 levels', { schema: nested(21) }, '#/schema'],
    ['structured data of 5,001 values', { schema: { list: Array(5001).fill(0) } }, '#/schema'],
    ['a social preview with nesting', { social: { ogTitle: { deep: 1 } } }, '#/social'],
    [
      'a currency that is none',
      { product: { price: { amount: 1, currency: 'euro' } } },
      '#/product/price/currency',
    ],
    ['attributes with nesting', { product: { attributes: { a: { b: 1 } } } }, '#/product/attributes'],
  ])('%s', async (_, members, pointer) => {
    const problem = problemOf(await analyze({ content: text, ...members }));
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer }] });
  });

  test('content over 512 KB, whatever the object is', async () => {
    const object = { type: 'LISTING', id: newId('listing') };
    const result = await analyze({ content: 'ä'.repeat(256 * 1024 + 1), object });
    expect(problemOf(result)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('content of more than 60,000 words', async () => {
    const result = await analyze({ content: `<p>${'a '.repeat(60_001)}</p>` });
    expect(problemOf(result)).toMatchObject({ status: 413, code: 'payload_too_large' });
  });

  test('every invalid member is named at once', async () => {
    const problem = problemOf(await analyze({ content: text, keyphrase: long, schema: true }));
    expect(problem.errors).toHaveLength(2);
  });
});

function nested(levels: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level += 1) value = { inner: value };
  return value;
}

test('a saved listing is judged by its pictures and by what it offers', async () => {
  const id = putListing();
  const known = neighbour.get(id);
  const images = Array.from({ length: 5 }, (_, index) => ({
    src: `https://a.example/${index}.jpg`,
    alt: 'Tyre',
  }));
  const price = { amount: 129_900, currency: 'EUR' };
  const product = {
    brand: 'Conti',
    vin: null,
    price,
    availability: 'InStock',
    attributes: { make: 'Conti' },
  };
  neighbour.put({ ...known, content: { ...known.content, images, product } });
  const checksOf = async (sent: object = {}): Promise<Map<string, { rating: string; value: unknown }>> => {
    const { data } = await analyze({ object: { type: 'LISTING', id }, ...sent });
    return new Map(data?.seoAnalyze.checks.map((check: { id: string }) => [check.id, check]));
  };
  const saved = await checksOf();
  expect(saved.get('images.present')).toMatchObject({ rating: 'GOOD', value: { images: 5 } });
  expect(saved.get('images.alt')).toMatchObject({ rating: 'GOOD' });
  expect(saved.get('product.offer')).toMatchObject({ rating: 'GOOD' });
  expect(saved.get('product.identifier')).toMatchObject({ rating: 'BAD' });
  const sent = await checksOf({ images: [], product: { vin: 'WBA8E9G59GNT12345' } });
  expect(sent.get('images.present')).toMatchObject({ rating: 'BAD' });
  expect(sent.get('product.identifier')).toMatchObject({ rating: 'GOOD' });
});
