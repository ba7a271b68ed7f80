import { compareCache } from './compareCache.ts';
import { openCaches } from './openCaches.ts';

/** The response of a query of one listing, with this title. */
const listing = (id: string, title: string) => ({
  query: {
    text: 'query ($id: ID!) { __typename r0: listing(listingId: $id) { __typename id Listing_title: title } }',
    variables: { id },
  },
  data: { __typename: 'Query', r0: { __typename: 'Listing', id, Listing_title: title } },
});

test.each(openCaches())('$name returns different records with different ids', async (cache) => {
  const answers = [listing('lst_1', 'Volvo 145'), listing('lst_2', 'Saab 96')];
  expect(await compareCache(cache, answers)).toEqual({ differences: [], complete: 2 });
});

test.each(openCaches())(
  '$name confuses different records with one id, which the comparison finds',
  async (cache) => {
    const [volvo, saab] = [listing('lst_1', 'Volvo 145'), listing('lst_2', 'Saab 96')];
    const clash = { ...saab, data: { ...saab.data, r0: { ...saab.data.r0, id: 'lst_1' } } };
    const { differences } = await compareCache(cache, [volvo, clash]);
    expect(differences).toEqual([expect.stringContaining('"Saab 96" instead of "Volvo 145"')]);
  },
);
