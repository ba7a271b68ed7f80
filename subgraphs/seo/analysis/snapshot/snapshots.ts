import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { type SnapshotHead, SnapshotModel, type StoredSnapshot } from './model.ts';

/** Returns the installation's stored analyses. */
export function snapshotsOf(context: RequestContext): ScopedCollection<StoredSnapshot> {
  return scoped(SnapshotModel, context.installationId);
}

/** Loads a stored analysis by id; null if there is none. */
export function findSnapshot(context: RequestContext, id: string): Promise<StoredSnapshot | null> {
  return context.loader(snapshotById).load(id);
}

/** Loads a stored analysis by id, possibly without its findings. */
export function findSnapshotHead(context: RequestContext, id: string): Promise<SnapshotHead | null> {
  return context.loader(headById).load(id);
}

const headById = recordLoader(SnapshotModel, { projection: { checks: 0, metrics: 0 } });

const snapshotById = recordLoader(SnapshotModel);
