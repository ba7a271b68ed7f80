import { embeddedCatalogSearch } from '../../subgraphs/identity/listings/catalog/embedded/embeddedCatalogSearch.ts';
import { listIndexes } from '../../subgraphs/identity/listings/catalog/opensearch/engine/catalogIndex.ts';
import { engineOf } from '../../subgraphs/identity/listings/catalog/opensearch/engine/engineOf.ts';
import { CatalogFeeder } from '../../subgraphs/identity/listings/catalog/opensearch/feed/CatalogFeeder.ts';
import { listDeadLetters } from '../../subgraphs/identity/listings/catalog/opensearch/feed/feedState.ts';
import {
  versionOf,
  writeDocuments,
} from '../../subgraphs/identity/listings/catalog/opensearch/feed/writeDocuments.ts';
import { openSearchCatalog } from '../../subgraphs/identity/listings/catalog/opensearch/openSearchCatalog.ts';
import { catalogIndexJob } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/catalogIndexJob.ts';
import {
  checkInstallation,
  repairInstallation,
  replayDeadLetters,
} from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/checkCatalog.ts';
import { rebuildIndex } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/rebuildIndex.ts';
import {
  CatalogListingModel,
  CatalogRemovalModel,
} from '../../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { toCatalogQuery } from '../../subgraphs/identity/listings/catalog/toCatalogQuery.ts';
import { product } from '../support/product.ts';
import type { SeededInstallation, SeededUser } from '../support/seed.ts';
import { describeOpenSearch } from './describeOpenSearch.ts';
import { drawFrom } from './draw.ts';
import { varyCars } from './fillCatalog.ts';
import { openSearchSettings, refresh } from './settings.ts';

describeOpenSearch('the feed of the catalogue to OpenSearch', (node) => {
  const { stack, neighbour } = product(() => ({ catalog: openSearchSettings(node().url) }));
  let shop: SeededInstallation;
  let anna: SeededUser;

  beforeEach(async () => {
    shop = await neighbour();
    anna = await shop.seller();
    await feed();
  });

  const engine = () => engineOf(stack.platform);
  const run = { assertHeld: async () => undefined };
  const copies = () => shop.records(CatalogListingModel);
  const publish = async (members: object = {}) => (await anna.listing({ published: true, ...members })).id;

  async function feed(): Promise<void> {
    await stack.runJob(catalogIndexJob.name);
    await refresh(stack.platform);
  }

  async function idsOf(search: object = {}): Promise<string[]> {
    const { nodes } = await shop.visitor.catalogListings(search, 'nodes { id }');
    return nodes.map(({ id }) => id);
  }

  /** Counts documents as the index does, without the database, which hides removed listings in any case. */
  function countOf(search: typeof openSearchCatalog): Promise<number> {
    const context = stack.contextFor({ installation: shop.installation });
    return search.count(context, toCatalogQuery({}, context), 1e6);
  }

  async function target() {
    const index = (await listIndexes(engine())).find(({ isSearched }) => isSearched)?.name ?? '';
    return { engine: engine(), index, installationId: shop.installation.id, run };
  }

  test('published, changed, withdrawn and removed listings are found as in the database', async () => {
    const id = await publish({ title: 'Red car' });
    await feed();
    expect(await idsOf({ q: 'red' })).toEqual([id]);
    await copies().updateMany({ _id: id }, { $set: { title: 'Blue car' } });
    await feed();
    expect([await idsOf({ q: 'red' }), await idsOf({ q: 'blue' })]).toEqual([[], [id]]);
    await copies().updateMany({ _id: id }, { $set: { withdrawn: true } });
    await feed();
    expect(await countOf(openSearchCatalog)).toBe(0);
    await copies().updateMany({ _id: id }, { $set: { withdrawn: false } });
    await feed();
    expect(await countOf(openSearchCatalog)).toBe(1);
    await copies().deleteMany({ _id: id });
    await feed();
    expect(await countOf(openSearchCatalog)).toBe(0);
  });

  test('a search finds no listing of another installation', async () => {
    const other = await neighbour();
    await (await other.seller()).listing({ published: true });
    const id = await publish();
    await feed();
    expect(await idsOf()).toEqual([id]);
  });

  test('a late write replaces neither a newer one nor a removal', async () => {
    const id = await publish();
    await feed();
    const { index, installationId } = await target();
    const late = { id, installationId, version: versionOf(new Date(1)), document: { id, installationId } };
    expect(await writeDocuments(engine(), index, [late])).toEqual([]);
    await refresh(stack.platform);
    expect(await countOf(openSearchCatalog)).toBe(1);
    await copies().deleteMany({ _id: id });
    await feed();
    await writeDocuments(engine(), index, [late]);
    await refresh(stack.platform);
    expect((await checkInstallation(await target())).differences).toEqual([]);
  });

  test('a refused document becomes a dead letter, delays no other one, and is written after its correction', async () => {
    const [bad, good] = [await publish(), await publish()];
    const invalid = { lat: 123, lng: 0 };
    await copies().updateMany({ _id: bad }, { $set: { 'location.geo': invalid } });
    await feed();
    expect(await idsOf()).toEqual([good]);
    const { index, installationId } = await target();
    const letters = () => listDeadLetters(engine(), index, installationId);
    expect(await letters()).toMatchObject([{ listingId: bad, error: expect.stringContaining('latitude') }]);
    expect(await replayDeadLetters(await target())).toBe(1);
    expect(await letters()).toHaveLength(1);
    await copies().updateMany({ _id: bad }, { $set: { 'location.geo': { lat: 52, lng: 13 } } });
    await feed();
    expect(await letters()).toEqual([]);
    expect(await idsOf()).toHaveLength(2);
  });

  test('a check reports what differs from the database, and a repair writes it', async () => {
    const kept = await publish();
    await feed();
    const lost = await publish();
    const { index, installationId } = await target();
    const version = versionOf(new Date(Date.now() + 60_000));
    const document = { id: 'lst_x', installationId, withdrawn: false, expiresAt: Date.now() * 2 };
    await writeDocuments(engine(), index, [{ id: 'lst_x', installationId, version, document }]);
    const { listings, differences } = await checkInstallation(await target());
    expect([listings, differences.map(({ id }) => id).sort()]).toEqual([2, [lost, 'lst_x'].sort()]);
    expect(await repairInstallation(await target())).toEqual({ found: 2, remaining: 0 });
    expect((await checkInstallation(await target())).differences).toEqual([]);
    expect((await idsOf()).sort()).toEqual([kept, lost].sort());
  }, 60_000);

  test('after an outage that outlasts the records of removals, removed listings leave the index', async () => {
    const id = await publish();
    await feed();
    await copies().deleteMany({ _id: id });
    await shop.records(CatalogRemovalModel).deleteMany({ _id: id });
    const { index, installationId } = await target();
    const pass = async () => {
      await new CatalogFeeder(engine()).pass(index, [installationId], run);
      await refresh(stack.platform);
    };
    await pass();
    expect(await countOf(openSearchCatalog)).toBe(1);
    const [settled, readAt] = [Date.now(), Date.now() - 13 * 3_600_000];
    await engine().administer((client) =>
      client.index({
        index: `${engine().alias}-state`,
        id: `progress:${index}:${installationId}`,
        body: { kind: 'progress', index, installationId, settled, readAt },
      }),
    );
    await pass();
    expect(await countOf(openSearchCatalog)).toBe(0);
  });

  test('a rebuild during writes loses and doubles nothing, and searches go on', async () => {
    await publish();
    await varyCars(shop, 2000, drawFrom(1));
    await feed();
    const before = (await target()).index;
    const progress = { isOver: false };
    const rebuilding = rebuildIndex({
      engine: engine(),
      feeder: new CatalogFeeder(engine()),
      installationIds: [shop.installation.id],
      run,
    }).finally(() => {
      progress.isOver = true;
    });
    let searches = 0;
    const write = async () => {
      for (let round = 0; !progress.isOver; round += 1) {
        const _id = `lst_${String(round % 2000).padStart(26, '0')}`;
        if (round % 3 === 0) await copies().deleteMany({ _id });
        else await copies().updateMany({ _id }, { $set: { title: `Written ${round}` } });
        expect((await idsOf({ first: 1 })).length).toBe(1);
        searches += 1;
      }
    };
    await Promise.all([rebuilding, write()]);
    const after = (await target()).index;
    expect([after === before, searches > 5]).toEqual([false, true]);
    await feed();
    expect(await listIndexes(engine())).toHaveLength(1);
    expect((await checkInstallation(await target())).differences).toEqual([]);
    expect(await countOf(openSearchCatalog)).toBe(await countOf(embeddedCatalogSearch));
  }, 120_000);

  test('later pages see the point in time of the second page, and go on after it has expired', async () => {
    for (let count = 0; count < 6; count += 1) await publish();
    await feed();
    const page = (after: string | null) =>
      shop.visitor.catalogListings({ first: 2, after }, 'nodes { id } pageInfo { endCursor hasNextPage }');
    const all = await idsOf();
    const first = await page(null);
    const second = await page(first.pageInfo.endCursor ?? '');
    const points = await fetch(`${node().url}/_search/point_in_time/_all`, { method: 'DELETE' });
    expect(await points.json()).toMatchObject({ pits: [{ successful: true }] });
    const third = await page(second.pageInfo.endCursor ?? '');
    expect([first, second, third].flatMap(({ nodes }) => nodes.map(({ id }) => id))).toEqual(all);
    expect(third.pageInfo.hasNextPage).toBe(false);
  });
});
