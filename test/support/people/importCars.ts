import { type CarListing, readCarListings } from '../../../app/demonstration/carListings.ts';
import { listingImportsJob } from '../../../subgraphs/identity/listings/listing-import/startListingImport.ts';
import type { SeededInstallation } from '../seed.ts';
import type { TestStack } from '../stack/openTestStack.ts';

/** Imports the 406 cars of the demonstration through the feed of a new dealer. */
export async function importCars(market: SeededInstallation, stack: TestStack): Promise<void> {
  const dealer = await market.dealer();
  const feed = readCarListings().map((car) => JSON.stringify(toFeedRow(car)));
  const answer = await dealer.owner.rest('POST', `/api/v1/dealers/${dealer.id}/listing-imports`, {
    headers: { 'content-type': 'application/x-ndjson' },
    text: feed.join('\n'),
  });
  if (answer.status !== 202) throw new Error(`The cars were refused: ${JSON.stringify(answer.body)}`);
  await stack.runJob(listingImportsJob);
}

function toFeedRow({ stockNumber, title, description, attributes, priceAmount }: CarListing): object {
  return {
    stockNumber,
    title,
    description,
    attributes,
    category: 'cars',
    condition: 'used',
    price: { amount: priceAmount, currency: 'EUR' },
    location: { postalCode: '10115', city: 'Berlin', country: 'DE' },
    publish: true,
  };
}
