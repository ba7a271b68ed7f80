import { randomBytes } from 'node:crypto';
import {
  createIndex,
  deleteIndex,
} from '../subgraphs/identity/listings/catalog/opensearch/engine/catalogIndex.ts';
import { SearchEngine } from '../subgraphs/identity/listings/catalog/opensearch/engine/SearchEngine.ts';
import {
  type SearchSource,
  toSearchDocument,
} from '../subgraphs/identity/listings/catalog/opensearch/feed/toSearchDocument.ts';
import { toClauses } from '../subgraphs/identity/listings/catalog/opensearch/query/toClauses.ts';
import { toWordsClause } from '../subgraphs/identity/listings/catalog/opensearch/query/toWordsClause.ts';
import { CatalogListingModel } from '../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { matchPublished } from '../subgraphs/identity/listings/saved-search/matchPublished.ts';
import {
  SavedSearchModel,
  type SavedSearchRecord,
  type StoredQuery,
} from '../subgraphs/identity/listings/saved-search/model.ts';
import { toCatalogSearch } from '../subgraphs/identity/listings/saved-search/query.ts';
import type { Installation } from '../subgraphs/platform/installation/Installation.ts';
import { InstallationModel, toInstallation } from '../subgraphs/platform/installation/Installations.ts';
import { connectMongo } from '../subgraphs/platform/mongo/connectMongo.ts';
import { drawFrom } from '../test/opensearch/draw.ts';
import { startOpenSearch } from '../test/opensearch/startOpenSearch.ts';
import { benchmark } from './harness/benchmark.ts';
import { describeTimes, report } from './harness/report.ts';

/**
 * Measures how long it takes to find the saved searches that match new listings: by the product, which compares all
 * searches in memory, and by the percolator of OpenSearch, which the product does not use.
 */

export default benchmark({
  measures: 'saved searches that match new listings, in memory and by the percolator of OpenSearch',
  settings: {
    searches: { usual: 10_000, quick: 100, means: 'saved searches with an instant alert' },
    listings: { usual: 50, quick: 50, means: 'new listings that are compared at once' },
    rounds: { usual: 10, quick: 1, means: 'times that they are compared' },
    engine: {
      usual: 'embedded',
      quick: 'embedded',
      means: 'opensearch: also the percolator, which needs Java',
    },
  },
  async measure({ searches, listings, rounds, engine }, { openMarketplace }) {
    const { shared, installationId, stop } = await openMarketplace();
    await stop();
    const connection = await connectMongo({ uri: shared.MONGODB_URI, timeoutMs: 120_000 });
    try {
      const installation = await findInstallation(installationId);
      const kept = await storeSearches(installation, searches);
      const copies = await renewListings(installation, listings);
      const inMemory = await reportInMemory(installation, copies, rounds);
      if (engine !== 'opensearch') return;
      const percolated = await reportPercolator(installation, { kept, copies, rounds });
      if (percolated !== inMemory)
        throw new Error(`The percolator finds ${percolated} searches, and the product ${inMemory}.`);
    } finally {
      await SavedSearchModel.collection.deleteMany({ name: 'Benchmark' });
      await connection.close();
    }
  },
});

async function findInstallation(id: string): Promise<Installation> {
  const record = await InstallationModel.findById(id).lean();
  if (!record) throw new Error('The demonstration has no installation.');
  return toInstallation(record);
}

/** Stores searches with drawn conditions, of users that do not exist. */
async function storeSearches({ id }: Installation, count: number): Promise<SavedSearchRecord[]> {
  const draw = drawFrom(count);
  const past = new Date(Date.now() - 60_000);
  const one = (name: string, value: string) => ({ name, values: [value], all: [], min: null, max: null });
  const records = Array.from({ length: count }, (): SavedSearchRecord => {
    const _id = `ssr_${randomBytes(13).toString('hex').toUpperCase()}`;
    const query: StoredQuery = {
      q: draw.chance(0.3) ? draw.oneOf(['ford', 'wagon', 'cylinders', 'torino', 'toyota corona']) : null,
      locale: 'en',
      categoryId: null,
      currency: 'EUR',
      priceMin: null,
      priceMax: draw.whole(1, 100) * 10_000,
      conditions: [],
      priceTypes: [],
      sellerTypes: [],
      dealerIds: [],
      near: null,
      bounds: null,
      withImages: null,
      attributes: [
        one('make', draw.oneOf(['ford', 'toyota', 'amc', 'dodge', 'opel', 'bmw'])),
        ...(draw.chance(0.5)
          ? [{ ...one('mileageKm', ''), values: [], max: draw.whole(20, 250) * 1000 }]
          : []),
      ],
    };
    const times = { alertDueAt: null, toldAt: null, toldUntil: null, lastSeenAt: past, createdAt: past };
    const owner = { installationId: id, userId: `usr_${_id}`, name: 'Benchmark', fingerprint: _id };
    return { _id, ...owner, query, alert: 'instant', ...times };
  });
  for (let at = 0; at < count; at += 5000)
    await SavedSearchModel.collection.insertMany(records.slice(at, at + 5000) as never[]);
  return records;
}

/** Makes listings of the demonstration new, and returns them. */
async function renewListings({ id }: Installation, count: number): Promise<SearchSource[]> {
  const copies = CatalogListingModel.collection;
  const some = await copies.find({ installationId: id }).sort({ _id: 1 }).limit(count).toArray();
  const ids = some.map(({ _id }) => _id);
  await copies.updateMany({ _id: { $in: ids } }, { $set: { publishedAt: new Date() } });
  return (await copies.find({ _id: { $in: ids } }).toArray()) as unknown as SearchSource[];
}

/** Returns the number of searches that match. */
async function reportInMemory(
  installation: Installation,
  copies: readonly SearchSource[],
  rounds: number,
): Promise<number> {
  const platform = { now: Date.now, signals: { send: () => undefined } } as never;
  const { signal } = new AbortController();
  const ids = copies.map(({ _id }) => _id);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await matchPublished({ platform, signal }, installation, ids);
    times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(before);
  const found = await SavedSearchModel.collection.countDocuments({
    name: 'Benchmark',
    alertDueAt: { $ne: null },
  });
  if (found === 0) throw new Error('No search matches, so nothing was compared.');
  const cpuMs = (user + system) / 1000 / rounds;
  report('in memory', `${describeTimes(times)}; CPU ${cpuMs.toFixed(0)} ms; ${found} searches match`);
  return found;
}

interface Percolating {
  readonly kept: readonly SavedSearchRecord[];
  readonly copies: readonly SearchSource[];
  readonly rounds: number;
}

/** Returns the number of searches that match. */
async function reportPercolator(
  installation: Installation,
  { kept, copies, rounds }: Percolating,
): Promise<number> {
  const node = await startOpenSearch();
  const engine = new SearchEngine({ nodes: [node.url], alias: 'bench-alerts' });
  const index = await createIndex(engine, Date.now());
  const routing = installation.id;
  const documents = copies.map(toSearchDocument);
  const bulk = (items: readonly object[]) =>
    engine.administer((client) =>
      client.bulk({
        index,
        routing,
        refresh: true,
        body: items.flatMap((item) => [{ index: {} }, item]) as never,
      }),
    );
  const ask = async (size: number): Promise<number> => {
    const query = { percolate: { field: 'query', documents } };
    const answer = await fetch(`${node.url}/${index}/_search?routing=${routing}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ size, _source: false, track_total_hits: true, query }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const { hits } = (await answer.json()) as { hits: { total: { value: number } } };
    return hits.total.value;
  };
  try {
    await engine.administer((client) =>
      client.indices.putMapping({ index, body: { properties: { query: { type: 'percolator' } } } as never }),
    );
    // A query on an attribute is refused until a document has it.
    await bulk(documents);
    const begun = performance.now();
    for (let at = 0; at < kept.length; at += 1000)
      await bulk(kept.slice(at, at + 1000).map(({ query }) => ({ query: toQuery(query, installation) })));
    report('percolator, to store the searches', `${((performance.now() - begun) / 1000).toFixed(1)} s`);
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < rounds; round += 1) {
      const asked = performance.now();
      found = await ask(Math.min(10_000, kept.length));
      times.push(performance.now() - asked);
    }
    report('percolator', `${describeTimes(times)}; ${found} searches match`);
    return found;
  } finally {
    await deleteIndex(engine, index);
    await engine.close();
    await node.stop();
  }
}

function toQuery(stored: StoredQuery, installation: Installation): object {
  const query = toCatalogSearch(stored, installation, { publishedAfter: null });
  const words = toWordsClause(query, []);
  return { bool: { filter: [...toClauses(query).map(({ clause }) => clause), ...(words ? [words] : [])] } };
}
