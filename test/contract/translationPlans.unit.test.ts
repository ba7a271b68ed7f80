import { readFileSync } from 'node:fs';
import { loadBuilders } from '../../app/product/loadBuilders.ts';
import { createEngine, type Engine } from '../../router/execution/createEngine.ts';
import { createLocalTransport } from '../../router/transport/localTransport.ts';

let engine: Engine;
beforeAll(async () => {
  const builders = await loadBuilders();
  engine = createEngine({
    supergraphSdl: readFileSync(new URL('../../schema/supergraph.graphql', import.meta.url), 'utf8'),
    transports: Object.fromEntries(
      Object.entries(builders).map(([name, build]) => [name, createLocalTransport(build().schema)]),
    ),
  });
});
afterAll(() => engine.close());

/** The subgraphs of an operation's fetches, in the order of its plan. */
async function fetchesOf(text: string): Promise<string[]> {
  const prepared = await engine.prepareKnown(text);
  if (!('execute' in prepared)) throw new Error(JSON.stringify(prepared));
  return [...engine.explain(prepared).matchAll(/Fetch from (\w+)/g)].map(([, name]) => name ?? '');
}

test.each<[string, string, string[]]>([
  [
    'listings with texts and links in another language need three fetches',
    `{ catalogListings(first: 100) { nodes { title alternates { href }
       translation(language: "fr") { strategy translation { fields { title } } linked { ... on CatalogListing { title } } } } } }`,
    ['identity', 'translation', 'identity'],
  ],
  [
    'a listing with the object of its translation needs three fetches',
    `{ listing(listingId: "lst_1") { title alternates { href }
       translation(language: "fr") { translation { url object { ... on Listing { title } } } } } }`,
    ['identity', 'translation', 'identity'],
  ],
  [
    'listings without a requested language need one fetch',
    '{ catalogListings(first: 100) { nodes { title description } } }',
    ['identity'],
  ],
  [
    'SEO fields with language and links need two fetches',
    `{ seoRecord(object: { type: LISTING, id: "lst_1" }) { keyphrase contentLanguage { code } hreflang { issues { code } } } }`,
    ['seo', 'translation'],
  ],
])('%s', async (_, text, expected) => {
  expect(await fetchesOf(text)).toEqual(expected);
});
