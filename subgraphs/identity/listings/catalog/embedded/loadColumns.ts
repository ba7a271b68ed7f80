import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { ListingColumns } from '../columns/ListingColumns.ts';
import { ColumnKeeper } from './ColumnKeeper.ts';

/**
 * Number of installations whose columns a process holds. Columns of the least recently used ones are loaded again when
 * they are needed.
 */
export const mostInstallations = 200;
const keepers = new WeakMap<Platform, LRUCache<string, ColumnKeeper>>();

/**
 * Returns the columns of the request's installation, refreshed once in each request: `await
 * context.loader(loadColumns)`.
 */
export function loadColumns({ platform, installationId }: RequestContext): Promise<ListingColumns> {
  return keeperOf(platform, installationId).current();
}

/** Returns the keeper of the columns of an installation in this process. */
export function keeperOf(platform: Platform, installationId: string): ColumnKeeper {
  let known = keepers.get(platform);
  if (!known) {
    known = new LRUCache({ max: mostInstallations });
    keepers.set(platform, known);
  }
  let keeper = known.get(installationId);
  if (!keeper) {
    keeper = new ColumnKeeper(installationId);
    known.set(installationId, keeper);
  }
  return keeper;
}
