import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { SnapshotOfRecord } from './markLatest.ts';
import { snapshotsOf } from './snapshots.ts';

const keptAlways = 20;

/**
 * Removes stored analyses of records that are neither among the last 20 nor the last of an earlier month. Two commands
 * for any number of records.
 *
 * @param stored the records with their newest analyses, which stay even if the clock of another process is ahead
 */
export async function pruneSnapshots(
  context: RequestContext,
  stored: readonly SnapshotOfRecord[],
): Promise<void> {
  // A record without an earlier analysis has none to remove.
  const older = stored.filter(({ record }) => record.latest !== null);
  if (older.length === 0) return;
  const snapshots = snapshotsOf(context);
  const newestFirst = await snapshots.find(
    { recordId: { $in: older.map(({ record }) => record._id) } },
    { projection: { recordId: 1, createdAt: 1 }, sort: { createdAt: -1, _id: -1 } },
  );
  const kept = new Set(older.map(({ snapshot }) => snapshot._id));
  const superfluous = [...Map.groupBy(newestFirst, ({ recordId }) => recordId).values()]
    .flatMap((ofRecord) => findSuperfluous(ofRecord))
    .filter((id) => !kept.has(id));
  if (superfluous.length > 0) await snapshots.deleteMany({ _id: { $in: superfluous } });
}

/**
 * Returns the ids of analyses beyond the retention.
 *
 * @param newestFirst every stored analysis of one record
 */
export function findSuperfluous(newestFirst: readonly { _id: string; createdAt: Date }[]): string[] {
  const months = new Set<string>();
  return newestFirst.slice(keptAlways).flatMap(({ _id, createdAt }) => {
    const month = createdAt.toISOString().slice(0, 7);
    if (months.has(month)) return [_id];
    months.add(month);
    return [];
  });
}
