import { setTimeout as pause } from 'node:timers/promises';
import { listingImportsJob } from '../../subgraphs/identity/listings/listing-import/startListingImport.ts';
import { startJobs } from '../../subgraphs/platform/jobs/startJobs.ts';
import type { RoutedProduct } from '../product/openProduct.ts';
import type { Caller } from './Caller.ts';
import { carFeed, type FeedPlace } from './carFeed.ts';
import type { CarListing } from './carListings.ts';
import type { Emblem } from './pictures/drawLogo.ts';
import { seedOperation } from './seedOperation.ts';

const myListings = seedOperation(`query listings($after: String) {
  listings(first: 100, after: $after) { nodes { id stockNumber state } pageInfo { hasNextPage endCursor } }
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

/** A dealer of the demonstration that sells cars. */
export interface StockedDealer {
  readonly caller: Caller;
  readonly dealerId: string;
  readonly tradeName: string;
  readonly emblem: Emblem;
  readonly place: FeedPlace;
  readonly cars: readonly CarListing[];
}

interface StoredListing {
  id: string;
  state: string;
}

/** A listing of the demonstration with its car. */
export interface SeededListing extends StoredListing {
  car: CarListing;
  dealer: StockedDealer;
}

const pollMs = 50;

/**
 * Imports the cars of dealers as listings, by feeds as a dealer's software would send them. The import job is run here,
 * because the jobs of this process have not started.
 */
export async function seedListings(
  dealers: readonly StockedDealer[],
  product: RoutedProduct,
  progress: (listings: number) => void,
): Promise<SeededListing[]> {
  const jobs = product.jobs.filter(({ name }) => name === listingImportsJob);
  const running = startJobs(jobs, product.platform);
  const listings: SeededListing[] = [];
  try {
    for (const dealer of dealers) {
      await importStock(dealer);
      listings.push(...(await readListings(dealer)));
      progress(listings.length);
    }
  } finally {
    await running.close();
  }
  return listings;
}

async function importStock({ caller, dealerId, cars, place }: StockedDealer): Promise<void> {
  const { startListingImport: started } = await caller.call<{
    startListingImport: { listingImport: { id: string } };
  }>(startListingImport, {
    input: { dealerId, content: carFeed(cars, place), format: 'CSV', idempotencyKey: 'demonstration-stock' },
  });
  const importId = started.listingImport.id;
  const { counts, failure, errors } = await waitForEnd(caller, { dealerId, importId });
  if (failure || counts.failed > 0)
    throw new Error(`The cars were not imported: ${failure?.detail ?? JSON.stringify(errors.nodes)}`);
}

/** Returns the stored listings of a dealer in the order of its cars. A listing that was deleted is left out. */
export async function readListings(dealer: StockedDealer): Promise<SeededListing[]> {
  const stored = await readStored(dealer.caller);
  return dealer.cars.flatMap((car) => {
    const listing = stored.get(car.stockNumber);
    return listing ? [{ ...listing, car, dealer }] : [];
  });
}

async function waitForEnd(dealer: Caller, place: { dealerId: string; importId: string }): Promise<Import> {
  for (;;) {
    const { listingImport: found } = await dealer.call<{ listingImport: Import }>(listingImport, place);
    if (found.state !== 'QUEUED' && found.state !== 'RUNNING') return found;
    await pause(pollMs);
  }
}

/** Returns listings by stock number. */
async function readStored(dealer: Caller): Promise<Map<string, StoredListing>> {
  const stored = new Map<string, StoredListing>();
  let after: string | null = null;
  do {
    const page: {
      listings: {
        nodes: (StoredListing & { stockNumber: string })[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    } = await dealer.call(myListings, { after });
    for (const { stockNumber, ...listing } of page.listings.nodes) stored.set(stockNumber, listing);
    after = page.listings.pageInfo.endCursor;
  } while (after !== null);
  return stored;
}
