import { product } from '../../../../test/support/product.ts';

const world = product();

const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
  ... on Listing { id seo { keyphrase latestAnalysis { stale } } } } }`;

test('references resolve to SEO fields, to null without fields, and one that is refused fails alone', async () => {
  const { market, stack } = world;
  const [anna, ben] = [await market.seller(), await market.seller()];
  const [optimised, bare, foreign] = [await anna.listing(), await anna.listing(), await ben.listing()];
  const object = { type: 'LISTING' as const, id: optimised.id };
  await anna.updateSeoRecord({ object, keyphrase: 'octavia' });
  await anna.seoRefresh({ object });
  const representations = [optimised, bare, foreign].map(({ id }) => ({ __typename: 'Listing', id }));
  const { installation } = market;
  const options = { as: anna.token, installation, subgraph: 'seo' };
  const { data, errors } = await stack.execute(entities, { representations }, options);
  expect(data?._entities).toEqual([
    { id: optimised.id, seo: { keyphrase: 'octavia', latestAnalysis: { stale: false } } },
    { id: bare.id, seo: null },
    { id: foreign.id, seo: null },
  ]);
  expect(errors).toMatchObject([{ extensions: { problem: { code: 'ownership_required' } } }]);
});
