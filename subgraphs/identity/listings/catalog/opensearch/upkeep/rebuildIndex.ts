import { createIndex, deleteIndex, listIndexes, schemaDigest, searchIndex } from '../engine/catalogIndex.ts';
import type { SearchEngine } from '../engine/SearchEngine.ts';
import type { CatalogFeeder } from '../feed/CatalogFeeder.ts';
import { forgetIndex } from '../feed/feedState.ts';
import type { FeedRun } from '../feed/InstallationFeed.ts';

/** Work of a rebuild. */
export interface Rebuild {
  engine: SearchEngine;
  feeder: CatalogFeeder;
  installationIds: readonly string[];
  run: FeedRun;
}

/** The last pass before searches use the new index writes at most this many documents. */
const nearlyNone = 100;
const mostPasses = 20;

/**
 * Fills a new index and lets searches use it. Until then they use the old one, which the job continues to write. A
 * rebuild that was interrupted is continued.
 *
 * @returns the name of the new index
 */
export async function rebuildIndex({ engine, feeder, installationIds, run }: Rebuild): Promise<string> {
  const begun = (await listIndexes(engine)).find(
    (one) => !one.isSearched && one.schemaDigest === schemaDigest,
  );
  const index = begun?.name ?? (await createIndex(engine, Date.now()));
  // Each pass writes what has changed during the one before.
  for (let pass = 1; pass <= mostPasses; pass += 1) {
    const { documents } = await feeder.pass(index, installationIds, run);
    if (documents <= nearlyNone) break;
  }
  await feeder.save(index);
  await engine.administer((client) => client.indices.refresh({ index: [index] }));
  await run.assertHeld();
  await searchIndex(engine, index);
  for (const { name, isSearched } of await listIndexes(engine)) {
    if (isSearched) continue;
    await deleteIndex(engine, name);
    await forgetIndex(engine, name);
  }
  return index;
}
