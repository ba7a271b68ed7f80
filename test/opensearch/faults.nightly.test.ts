import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { listIndexes } from '../../subgraphs/identity/listings/catalog/opensearch/engine/catalogIndex.ts';
import { engineOf } from '../../subgraphs/identity/listings/catalog/opensearch/engine/engineOf.ts';
import { catalogIndexJob } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/catalogIndexJob.ts';
import { checkInstallation } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/checkCatalog.ts';
import { CatalogListingModel } from '../../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { freePort } from '../engines/startBinary.ts';
import { product } from '../support/product.ts';
import { drawFrom } from './draw.ts';
import { varyCars } from './fillCatalog.ts';
import { openSearchObstacle } from './openSearchParts.ts';
import { openSearchSettings, refresh } from './settings.ts';
import { type RunningOpenSearch, startOpenSearch } from './startOpenSearch.ts';

/** Number of kills: `KILLS=30`. */
const kills = Number(process.env.KILLS ?? 12);
const obstacle = openSearchObstacle();
const describeNode = obstacle === undefined ? describe : describe.skip;

describeNode(`the catalogue search during failures${obstacle ? ` (OpenSearch ${obstacle})` : ''}`, () => {
  let folder: string;
  let port: number;
  let node: RunningOpenSearch;
  const start = async () => {
    node = await startOpenSearch({ folder, port });
  };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trigate-opensearch-'));
    port = await freePort();
    await start();
  }, 180_000);
  afterAll(async () => {
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);
  const { stack, market } = product(() => ({ catalog: openSearchSettings(`http://127.0.0.1:${port}`) }));

  const feed = () => stack.runJob(catalogIndexJob.name);
  const copies = () => market.records(CatalogListingModel);
  const search = () => market.visitor.rest('GET', '/api/v1/catalog/listings?limit=1');

  test('without the engine only searches fail, at once, and they work again when it is back', async () => {
    const anna = await market.seller();
    const { id } = await anna.listing({ published: true });
    await feed();
    await refresh(stack.platform);
    expect((await search()).body.data).toMatchObject([{ id }]);
    await node.kill();
    for (let count = 0; count < 8; count += 1) {
      const begun = performance.now();
      const refused = await search();
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(performance.now() - begun).toBeLessThan(5000);
    }
    expect(await market.visitor.rest('GET', `/api/v1/catalog/listings/${id}`)).toMatchObject({ status: 200 });
    const written = await anna.listing({ published: true });
    await feed();
    await start();
    await feed();
    await refresh(stack.platform);
    let found = await search();
    for (let wait = 0; wait < 50 && found.status === 503; wait += 1) {
      await pause(100);
      found = await search();
    }
    expect(found.body.data).toMatchObject([{ id: written.id }]);
  }, 180_000);

  test(`the index equals the database after ${kills} kills of product and engine at random moments`, async () => {
    const draw = drawFrom(Date.now());
    await varyCars(market, 1000, draw);
    const { alias = '' } = stack.platform.catalog.openSearch ?? {};
    const program = path.join(import.meta.dirname, 'feedUntilKilled.ts');
    const uri = process.env.MONGODB_URI ?? '';
    const open = () =>
      spawn(process.execPath, [program, uri, mongoose.connection.name, `http://127.0.0.1:${port}`, alias], {
        stdio: 'inherit',
      });
    const progress = { isOver: false };
    let writes = 0;
    const write = async () => {
      while (!progress.isOver) {
        const _id = `lst_${String(draw.whole(0, 999)).padStart(26, '0')}`;
        const kind = draw.whole(1, 5);
        if (kind === 1) await copies().deleteMany({ _id });
        else if (kind === 2) await varyCars(market, 20, draw);
        else await copies().updateMany({ _id }, { $set: { title: `Written ${writes}` } });
        writes += 1;
      }
    };
    const writing = write();
    let child = open();
    const killed = { product: 0, engine: 0 };
    for (let count = 0; count < kills; count += 1) {
      await pause(draw.whole(200, 4000));
      if (draw.chance(0.6)) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
        child = open();
        killed.product += 1;
      } else {
        await node.kill();
        await start();
        killed.engine += 1;
      }
    }
    progress.isOver = true;
    await writing;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    console.log(`kills: ${JSON.stringify(killed)}, writes: ${writes}`);
    for (let pass = 0; pass < 3; pass += 1) await feed();
    const engine = engineOf(stack.platform);
    const indexes = await listIndexes(engine);
    const index = indexes.find(({ isSearched }) => isSearched)?.name ?? '';
    const checked = {
      engine,
      index,
      installationId: market.installation.id,
      run: { assertHeld: async () => undefined },
    };
    const { listings, differences } = await checkInstallation(checked);
    expect(indexes).toHaveLength(1);
    expect(differences).toEqual([]);
    expect(listings).toBeGreaterThan(100);
  }, 1_200_000);
});
