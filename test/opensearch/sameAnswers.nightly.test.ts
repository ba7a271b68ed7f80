import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogSearch } from '../../subgraphs/identity/listings/catalog/CatalogSearch.ts';
import { catalogFacets } from '../../subgraphs/identity/listings/catalog/catalogFacets.ts';
import { catalogListings } from '../../subgraphs/identity/listings/catalog/catalogListings.ts';
import { distanceFrom } from '../../subgraphs/identity/listings/catalog/columns/toPlaceTests.ts';
import { embeddedCatalogSearch } from '../../subgraphs/identity/listings/catalog/embedded/embeddedCatalogSearch.ts';
import { engineOf } from '../../subgraphs/identity/listings/catalog/opensearch/engine/engineOf.ts';
import { openSearchCatalog } from '../../subgraphs/identity/listings/catalog/opensearch/openSearchCatalog.ts';
import { sharedMs } from '../../subgraphs/identity/listings/catalog/opensearch/query/PointsInTime.ts';
import { catalogIndexJob } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/catalogIndexJob.ts';
import { CatalogListingModel } from '../../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { toCatalogQuery } from '../../subgraphs/identity/listings/catalog/toCatalogQuery.ts';
import type { Count } from '../../subgraphs/platform/pagination/Count.ts';
import { importCars } from '../support/people/importCars.ts';
import { product } from '../support/product.ts';
import { countedFacets, drawSearch, type Search, searches } from './catalogTable.ts';
import { describeOpenSearch } from './describeOpenSearch.ts';
import { drawFrom } from './draw.ts';
import { varyCars } from './fillCatalog.ts';
import { openSearchSettings, refresh } from './settings.ts';

/** Number of varied listings: `LISTINGS=20000`. */
const variedListings = Number(process.env.LISTINGS ?? 5000);
const drawnSearches = 200;
const mostPages = 5;
const seedOfTest = 20_261_128;

type Geo = { lat: number; lng: number };

describeOpenSearch('the catalogue search on OpenSearch', (engine) => {
  const world = product(() => ({ catalog: openSearchSettings(engine().url) }));

  describe('of the cars of the demonstration', () => {
    beforeAll(async () => {
      await importCars(world.market, world.stack);
      await index();
    }, 120_000);

    test.each(Object.keys(searches))('answers like the embedded index: %s', async (name) => {
      const { theirs, ours } = await answersOf(searches[name]);
      expect(theirs).toEqual(ours);
    });
  });

  describe('of varied listings', () => {
    beforeAll(async () => {
      await importCars(world.market, world.stack);
      await varyCars(world.market, variedListings, drawFrom(seedOfTest));
      await index();
    }, 600_000);

    test.each(Object.keys(searches))('answers like the embedded index: %s', async (name) => {
      const { theirs, ours } = await answersOf(searches[name]);
      expect(theirs).toEqual(ours);
    });

    test('answers like the embedded index for any combination of conditions', async () => {
      const draw = drawFrom(seedOfTest);
      for (let count = 0; count < drawnSearches; count += 1) {
        const { theirs, ours } = await answersOf(drawSearch(draw));
        expect(theirs).toEqual(ours);
      }
    }, 600_000);

    test('counts facets of many values exactly if the cluster searches the segments of an index concurrently', async () => {
      const engine = engineOf(world.stack.platform);
      const setMode = (mode: string | null) =>
        engine.administer((client) =>
          client.indices.putSettings({
            index: engine.alias,
            body: { 'index.search.concurrent_segment_search.mode': mode },
          }),
        );
      await setMode('all');
      const { theirs, ours } = await answersOf();
      await setMode(null);
      expect(ours.facets.facets.find(({ name }) => name === 'model')?.buckets).toHaveLength(50);
      expect(theirs).toEqual(ours);
    }, 60_000);

    test('lets the engine answer equal searches of the same second from its cache', async () => {
      const cached = async (): Promise<number> => {
        const { indices } = await engineOf(world.stack.platform).administer((client) =>
          client.indices.stats({ metric: ['request_cache'] }),
        );
        return Object.values(indices ?? {}).reduce(
          (sum, { total }) => sum + (total?.request_cache?.hit_count ?? 0),
          0,
        );
      };
      const before = await cached();
      // Two of four searches in a row are in the same second.
      for (let round = 0; round < 4; round += 1)
        await openSearchCatalog.search(...everything(), { first: 20, after: null, count: true });
      expect(await cached()).toBeGreaterThan(before);
    });

    test('pages through all listings once, in every order', async () => {
      const expected = await shownCount();
      const orders: Search[] = [
        { sort: 'published_at_desc' },
        { sort: 'price_asc' },
        { sortByAttribute: { name: 'powerKw', direction: 'desc' } },
      ];
      for (const order of orders) {
        const pages = await pagesOf(openSearchCatalog, order, Number.POSITIVE_INFINITY);
        const ids = pages.flatMap((page) => page.ids);
        expect([ids.length, new Set(ids).size]).toEqual([expected, expected]);
      }
    }, 120_000);
  });

  const contextOf = () => world.stack.contextFor({ installation: world.market.installation });

  async function index(): Promise<void> {
    await world.stack.runJob(catalogIndexJob.name);
    await refresh(world.stack.platform);
    // Later pages may be read in an older point in time until then.
    await pause(sharedMs);
    // After many writes, the embedded index is behind for a while.
    while ((await embeddedCatalogSearch.count(...everything(), 1e6)) < (await shownCount())) await pause(200);
  }

  function everything() {
    const context = contextOf();
    return [context, toCatalogQuery({}, context)] as const;
  }

  function shownCount(): Promise<number> {
    const shown = { withdrawn: false, expiresAt: { $gt: new Date() } };
    return world.market.records(CatalogListingModel).count(shown);
  }

  /** Returns the answers of both engines to a search: its first pages, the number of results and the facets. */
  async function answersOf(named: Search = {}) {
    const search = withCategories(named);
    const { sort: _, sortByAttribute: __, count: ___, ...conditions } = search;
    const answer = async (engine: CatalogSearch) => ({
      search,
      pages: await pagesOf(engine, search),
      facets: await catalogFacets({ facets: countedFacets, ...conditions }, contextOf(), engine),
    });
    return { theirs: await answer(openSearchCatalog), ours: await answer(embeddedCatalogSearch) };
  }

  function withCategories({ categoryId, ...search }: Search): Search {
    if (!categoryId) return search;
    const slug = /^cat:(.+)/.exec(categoryId)?.[1];
    return { ...search, categoryId: slug === undefined ? categoryId : (world.market.categories[slug] ?? '') };
  }

  async function pagesOf(search: CatalogSearch, args: Search, most = mostPages) {
    const pages: { ids: string[]; total: Count | null; hasNextPage: boolean }[] = [];
    const place = args.near ?? { lat: 0, lng: 0 };
    let after: string | null = null;
    do {
      const request = { first: most > mostPages ? 100 : 20, after, count: pages.length === 0, ...args };
      const { nodes, total, pageInfo } = await catalogListings(request, contextOf(), search);
      // OpenSearch stores places with a precision of a centimetre, so nearly equal distances may be in another order.
      const metres = (geo: Geo | null | undefined) =>
        geo ? Math.round(1000 * distanceFrom(place)(geo.lat, geo.lng)) : null;
      const isByDistance = args.sort === 'distance';
      const ids = nodes.map(({ _id, location }) => (isByDistance ? `${metres(location?.geo)} m` : _id));
      pages.push({ ids, total, hasNextPage: pageInfo.hasNextPage });
      after = pageInfo.endCursor;
    } while (after !== null && pages.length < most);
    return pages;
  }
});
