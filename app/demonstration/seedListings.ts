import { setTimeout as pause } from 'node:timers/promises';
import { listingImportsJob } from '../../subgraphs/identity/listings/listing-import/startListingImport.ts';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import type { RoutedProduct } from '../product/openProduct.ts';
import type { Caller } from './Caller.ts';
import { carFeed } from './carFeed.ts';
import { type CarListing, readCarListings } from './carListings.ts';
import { seedOperation } from './seedOperation.ts';

const myListings = seedOperation(`query listings($after: String) {
  listings(first: 100, after: $after) { nodes { id stockNumber } pageInfo { hasNextPage endCursor } }
}`);
const startListingImport = seedOperation(`mutation startListingImport($input: StartListingImportInput!) {
  startListingImport(input: $input) { listingImport { id } }
}`);
const listingImport = seedOperation(`query listingImport($dealerId: ID!, $importId: ID!) {
  listingImport(dealerId: $dealerId, importId: $importId) {
    state totalRows counts { rows failed } failure { detail } errors { nodes { row pointer detail } }
  }
}`);

interface Import {
  state: string;
  totalRows: number;
  counts: { rows: number; failed: number };
  failure: { detail: string } | null;
  errors: { nodes: object[] };
}

/** A listing of the demonstration with its car. */
export interface SeededListing {
  id: string;
  car: CarListing;
}

const pollMs = 50;

/**
 * Imports every car of the data set as a listing of the dealer, by a feed as a dealer's software would send it. The
 * import job is run here, because the jobs of this process have not started.
 */
export async function seedListings(
  dealer: Caller,
  { dealerId, product }: { dealerId: string; product: RoutedProduct },
  progress: (done: number, total: number) => void,
): Promise<SeededListing[]> {
  const cars = readCarListings();
  const feed = { content: carFeed(cars), format: 'CSV', idempotencyKey: 'demonstration-stock' };
  const { startListingImport: started } = await dealer.call<{
    startListingImport: { listingImport: { id: string } };
  }>(startListingImport, { input: { dealerId, ...feed } });
  const jobs = product.jobs.filter(({ name }) => name === listingImportsJob);
  const running = startJobs(jobs, product.platform);
  try {
    const { counts, failure, errors } = await waitForEnd(dealer, {
      dealerId,
      importId: started.listingImport.id,
    });
    if (failure || counts.failed > 0)
      throw new Error(`The cars were not imported: ${failure?.detail ?? JSON.stringify(errors.nodes)}`);
    progress(counts.rows, cars.length);
  } finally {
    await running.close();
  }
  const stored = await readStored(dealer);
  return cars.map((car) => ({ id: stored.get(car.stockNumber) ?? '', car }));
}

async function waitForEnd(dealer: Caller, place: { dealerId: string; importId: string }): Promise<Import> {
  for (;;) {
    const { listingImport: found } = await dealer.call<{ listingImport: Import }>(listingImport, place);
    if (found.state !== 'QUEUED' && found.state !== 'RUNNING') return found;
    await pause(pollMs);
  }
}

/** Returns ids by stock number. */
async function readStored(dealer: Caller): Promise<Map<string, string>> {
  const stored = new Map<string, string>();
  let after: string | null = null;
  do {
    const page: {
      listings: {
        nodes: { id: string; stockNumber: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    } = await dealer.call(myListings, { after });
    for (const { id, stockNumber } of page.listings.nodes) stored.set(stockNumber, id);
    after = page.listings.pageInfo.endCursor;
  } while (after !== null);
  return stored;
}
