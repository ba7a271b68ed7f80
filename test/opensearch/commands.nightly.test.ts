import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { catalogIndexJob } from '../../subgraphs/identity/listings/catalog/opensearch/upkeep/catalogIndexJob.ts';
import { CatalogListingModel } from '../../subgraphs/identity/listings/catalog/public-listing/model.ts';
import { product } from '../support/product.ts';
import { runProgram } from '../support/stack/runProgram.ts';
import { describeOpenSearch } from './describeOpenSearch.ts';
import { openSearchSettings } from './settings.ts';

describeOpenSearch('npm run catalog', (engine) => {
  const { stack, market } = product(() => ({ catalog: openSearchSettings(engine().url) }));
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'trigate-catalog-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function run(command: string, environment: Record<string, string> = {}) {
    const uri = new URL(process.env.MONGODB_URI ?? '');
    uri.pathname = `/${mongoose.connection.name}`;
    return runProgram('bin/catalog.ts', [command], {
      MONGODB_URI: uri.href,
      DATA_DIR: folder,
      CATALOG_SEARCH: 'opensearch',
      OPENSEARCH_URL: engine().url,
      OPENSEARCH_INDEX: stack.platform.catalog.openSearch?.alias ?? '',
      ...environment,
    });
  }

  test('status, check, repair and rebuild report the index beside the database', async () => {
    const anna = await market.seller();
    await anna.listing({ published: true });
    await stack.runJob(catalogIndexJob.name);
    const { id } = market.installation;
    expect((await run('status')).stdout).toContain(`${id}  1 listings, 1 documents`);
    expect(await run('check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${id}: 1 listings, 0 differ`),
    });
    const lost = await anna.listing({ published: true });
    const failed = await run('check');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('1 listings differ') });
    expect(failed.stdout).toContain(`${lost.id} is not in the index`);
    expect((await run('repair')).stdout).toContain(`${id}: 1 listings differed, 0 still do`);
    expect((await run('replay')).stdout).toContain(`${id}: 0 listings written again, 0 refused`);
    await market.records(CatalogListingModel).updateMany({ _id: lost.id }, { $set: { title: 'Other' } });
    expect((await run('rebuild')).stdout).toMatch(/searches use trigate-test-\w+-v\d+/);
    expect(await run('check')).toMatchObject({ code: 0 });
  }, 120_000);

  test('refuses to run without OpenSearch, in one line', async () => {
    const refused = await run('status', { CATALOG_SEARCH: 'embedded' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^catalog: .*OPENSEARCH_URL\.\n$/),
    });
  });
});
