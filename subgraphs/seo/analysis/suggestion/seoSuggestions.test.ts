import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededInstallation, SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { createPage } from '../../fixture/createPage.ts';
import type { SeoSuggestionsInput } from '../../seo.generated.ts';

const html =
  '<p>A winter tyre grips better on snow than any other tyre. We store your summer tyres in a dry hall until spring.</p>';

const world = product();
let shop: SeededInstallation;
let editor: SeededUser;
// Every test has an installation of its own, so that no other page is suggested.
beforeEach(async () => {
  shop = await world.neighbour();
  editor = await shop.staff('editor');
});

const suggest = (input: Wire<SeoSuggestionsInput>) => editor.seoSuggestions(input);
const suggestOf = (...kinds: Wire<SeoSuggestionsInput>['kinds'][number][]) =>
  suggest({ content: html, locale: 'en', kinds });

/** Creates a page with a keyphrase. */
async function createOther(keyphrase: string, isPublished = true, by = editor) {
  const object = await createPage(by, { title: 'Other' });
  await by.updateSeoRecord({ object, keyphrase });
  if (isPublished) await by.publishPage({ pageId: object.id });
  for (const job of ['identity.relay', 'seo.pages']) await world.stack.runJob(job);
  return object;
}

test('a saved object gets suggestions of several kinds, and nothing is written', async () => {
  const object = await createPage(editor, { title: 'Tyres', html });
  const commands = await commandsOf(async () => {
    const kinds = ['SEO_TITLE', 'META_DESCRIPTION', 'SLUG', 'KEYPHRASE', 'SCHEMA', 'SOCIAL'] as const;
    const { items, ...result } = await suggest({ object, kinds });
    expect(new Set(items.map(({ kind }) => kind)).size).toBeGreaterThan(3);
    for (const { value, text } of items) expect(text).toEqual(typeof value === 'string' ? value : null);
    expect(result).toMatchObject({ ruleset: '2026.1', language: { used: 'en' } });
  });
  expect(commands.filter((name) => name.includes(' seo_') && !name.startsWith('find'))).toEqual([]);
});

test('a saved listing is named as readers see it, with labels of its category in the language of the page', async () => {
  const anna = await shop.seller();
  const attributes = { make: 'skoda', model: 'octavia-combi', fuel: 'petrol', powerKw: 110 };
  const { id } = await anna.listing({ title: 'Škoda Octavia Combi', language: 'de', attributes });
  const { items } = await anna.seoSuggestions({
    object: { type: 'LISTING', id },
    kinds: ['SEO_TITLE', 'SCHEMA'],
    perKind: 1,
  });
  expect(items.map(({ value }) => value)).toMatchObject([
    expect.stringMatching(/^Škoda Octavia Combi.*150 PS, Benzin/),
    {
      jsonLd: {
        '@graph': [{ '@type': 'Car', brand: { name: 'Škoda' }, vehicleEngine: { fuelType: 'Benzin' } }],
      },
    },
  ]);
});

test('internal links lead to published objects of the installation', async () => {
  const published = await createOther('summer tyre');
  await createOther('dry hall', false);
  await createOther('winter tyre', true, await (await world.neighbour()).staff('editor'));
  const { items } = await suggestOf('INTERNAL_LINKS');
  expect(items.map(({ value }) => value)).toMatchObject([{ id: published.id }]);
  const [{ patch, patchAsJson }] = items as [(typeof items)[number]];
  expect(patch).toMatchObject({ ...(patchAsJson as object), seoTitle: null, images: null });
  expect(patch.contentEdits?.map(({ start, end }) => html.slice(start, end))).toEqual(['summer tyres']);
});

test('a keyphrase of another object is not suggested', async () => {
  const suggestOne = async () => (await suggestOf('KEYPHRASE')).items[0]?.value;
  const first = await suggestOne();
  await createOther(String(first), false);
  expect(await suggestOne()).not.toBe(first);
});

test('suggestions read other objects by three commands, however many there are', async () => {
  const countReads = async () => {
    const commands = await commandsOf(() => suggestOf('INTERNAL_LINKS', 'KEYPHRASE', 'SLUG'));
    return commands.filter((name) => name.includes(' seo_')).length;
  };
  // The first call reads the ruleset, which is cached.
  await countReads();
  const before = await countReads();
  for (const phrase of ['old barn', 'new barn', 'red barn']) await createOther(phrase);
  expect([before, await countReads()]).toEqual([3, 3]);
});

test('invalid wishes are refused with their places', async () => {
  const pointers = ['#/perKind', '#/exclude/0', '#/kinds'];
  const wrong = await suggest({ content: html, kinds: [], perKind: 6, exclude: ['x'.repeat(65)] });
  const errors = pointers.map((pointer) => ({ pointer }));
  expect(wrong).toBeRefused(422, 'validation_failed', { errors });
  expect(await suggest({ kinds: ['SLUG'] })).toBeRefused(422, 'seo_no_content_source');
});
