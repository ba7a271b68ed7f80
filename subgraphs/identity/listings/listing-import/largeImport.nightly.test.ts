import { product } from '../../../../test/support/product.ts';
import { numbersOnly } from './fixture/feeds.ts';
import { listingImportsJob } from './startListingImport.ts';

const { market, stack } = product();

test('an import of five thousand rows creates all listings', async () => {
  const { id: dealerId, owner } = await market.dealer();
  const { listingImport } = await owner.startListingImport({
    dealerId,
    content: numbersOnly(5000),
    format: 'CSV',
  });
  await stack.runJob(listingImportsJob);
  expect(await owner.listingImport({ dealerId, importId: listingImport.id })).toMatchObject({
    state: 'COMPLETED',
    counts: { rows: 5000, created: 5000 },
  });
}, 60_000);
