import { type CommandCall, runCommands } from '../app/commands/runCommands.ts';
import { listIndexes } from '../subgraphs/identity/listings/catalog/opensearch/engine/catalogIndex.ts';
import { indexOf } from '../subgraphs/identity/listings/catalog/opensearch/engine/indexOf.ts';
import { SearchEngine } from '../subgraphs/identity/listings/catalog/opensearch/engine/SearchEngine.ts';
import { CatalogFeeder } from '../subgraphs/identity/listings/catalog/opensearch/feed/CatalogFeeder.ts';
import {
  listDeadLetters,
  readProgress,
} from '../subgraphs/identity/listings/catalog/opensearch/feed/feedState.ts';
import type { FeedRun } from '../subgraphs/identity/listings/catalog/opensearch/feed/InstallationFeed.ts';
import {
  type Checked,
  checkInstallation,
  describeDifference,
  repairInstallation,
  replayDeadLetters,
} from '../subgraphs/identity/listings/catalog/opensearch/upkeep/checkCatalog.ts';
import { rebuildIndex } from '../subgraphs/identity/listings/catalog/opensearch/upkeep/rebuildIndex.ts';
import { CatalogListingModel } from '../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { InstallationModel } from '../subgraphs/platform/installation/Installations.ts';
import { reads } from '../subgraphs/platform/installation/scoped.ts';

/** Documents after which the progress is printed again. */
const progressEvery = 10_000;
const mostPrinted = 20;

/** `npm run catalog -- status|check|repair|replay|rebuild`: the search index on OpenSearch. */
await runCommands('catalog', 'Maintains the search index of a deployment with CATALOG_SEARCH=opensearch.', {
  status: {
    usage: '   indexes, documents and progress of every installation, and refused documents',
    run: (call) => withEngine(call, printStatus),
  },
  check: {
    usage: '    compares the versions of all listings with the index. The exit code is 1 if they differ',
    run: (call) => withEngine(call, check),
  },
  repair: {
    usage: '   writes the listings that differ',
    run: (call) =>
      withEngine(call, async (engine) => {
        for (const checked of await everyInstallation(engine, call.print)) {
          const { found, remaining } = await repairInstallation(checked);
          call.print(`${checked.installationId}: ${found} listings differed, ${remaining} still do`);
          if (remaining > 0) call.print('use npm run catalog -- rebuild, or status for refused documents');
        }
      }),
  },
  replay: {
    usage: '   writes the listings again that the index has refused',
    run: (call) =>
      withEngine(call, async (engine) => {
        for (const checked of await everyInstallation(engine, call.print)) {
          const replayed = await replayDeadLetters(checked);
          const { length } = await listDeadLetters(engine, checked.index, checked.installationId);
          call.print(`${checked.installationId}: ${replayed} listings written again, ${length} refused`);
        }
      }),
  },
  rebuild: {
    usage: '  fills a new index while the product runs, and lets searches use it',
    run: (call) =>
      withEngine(call, async (engine) => {
        const installationIds = await readInstallations();
        const total = await countListings(installationIds);
        const run = withProgress(call.print, total);
        const feeder = new CatalogFeeder(engine);
        const name = await rebuildIndex({ engine, feeder, installationIds, run });
        call.print(`searches use ${name}`);
      }),
  },
});

async function withEngine(
  { configuration: { catalog } }: CommandCall,
  work: (engine: SearchEngine, print: CommandCall['print']) => Promise<void>,
): Promise<void> {
  if (!catalog.openSearch)
    throw new Error('there is no index to maintain. Set CATALOG_SEARCH=opensearch and OPENSEARCH_URL.');
  const engine = new SearchEngine(catalog.openSearch);
  try {
    await work(engine, (line) => console.log(line));
  } finally {
    await engine.close();
  }
}

async function readInstallations(): Promise<string[]> {
  const found = await InstallationModel.find({}, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: string }[]>();
  return found.map(({ _id }) => _id);
}

async function countListings(installationIds: readonly string[]): Promise<number> {
  let total = 0;
  for (const id of installationIds) total += await reads(CatalogListingModel, id).count({});
  return total;
}

/** Returns the context of a command that writes, and that prints its progress. */
function withProgress(print: CommandCall['print'], total?: number): FeedRun {
  let written = 0;
  return {
    assertHeld: async () => undefined,
    onProgress(documents) {
      const before = Math.floor(written / progressEvery);
      written += documents;
      if (Math.floor(written / progressEvery) === before) return;
      print(`${written.toLocaleString('en')}${total ? ` of ${total.toLocaleString('en')}` : ''} documents`);
    },
  };
}

async function searchedIndex(engine: SearchEngine): Promise<string> {
  const searched = (await listIndexes(engine)).find(({ isSearched }) => isSearched);
  if (searched) return searched.name;
  throw new Error('there is no index yet. Start the product, or use npm run catalog -- rebuild.');
}

async function everyInstallation(engine: SearchEngine, print: CommandCall['print']): Promise<Checked[]> {
  const index = await searchedIndex(engine);
  const run = withProgress(print);
  return (await readInstallations()).map((installationId) => ({ engine, index, installationId, run }));
}

async function check(engine: SearchEngine, print: CommandCall['print']): Promise<void> {
  let differing = 0;
  for (const checked of await everyInstallation(engine, print)) {
    const { listings, differences } = await checkInstallation(checked);
    print(`${checked.installationId}: ${listings} listings, ${differences.length} differ`);
    for (const difference of differences.slice(0, mostPrinted)) print(`  ${describeDifference(difference)}`);
    differing += differences.length;
  }
  if (differing > 0) throw new Error(`${differing} listings differ. Use npm run catalog -- repair.`);
}

async function printStatus(engine: SearchEngine, print: CommandCall['print']): Promise<void> {
  for (const { name, isSearched } of await listIndexes(engine))
    print(`${name}  ${isSearched ? 'searched' : 'not searched'}`);
  const index = await searchedIndex(engine);
  for (const id of await readInstallations()) {
    const { hits } = await indexOf(engine, id).search({ index, filter: [], size: 0, track_total_hits: true });
    const documents = typeof hits.total === 'object' ? hits.total.value : hits.total;
    const progress = await readProgress(engine, index, id);
    const listings = await reads(CatalogListingModel, id).count({});
    print(
      `${id}  ${listings} listings, ${documents} documents, written up to ${progress?.settled.toISOString() ?? 'nothing'}`,
    );
  }
  for (const { listingId, error, at } of await listDeadLetters(engine, index))
    print(`refused ${listingId} at ${new Date(at).toISOString()}: ${error}`);
}
