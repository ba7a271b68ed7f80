import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { snapshotsOf } from './snapshots.ts';

const keptAlways = 20;

/**
 * Removes stored analyses of a record that are neither among the last 20 nor the last of an earlier month.
 *
 * @param latestId what the record points to; after a return to an earlier ruleset it can be an old one
 */
export async function pruneSnapshots(
  context: RequestContext,
  recordId: string,
  latestId: string,
): Promise<void> {
  const snapshots = snapshotsOf(context);
  const newestFirst = await snapshots.find(
    { recordId },
    { projection: { createdAt: 1 }, sort: { createdAt: -1, _id: -1 } },
  );
  const superfluous = findSuperfluous(newestFirst).filter((id) => id !== latestId);
  if (superfluous.length > 0) await snapshots.deleteMany({ _id: { $in: superfluous }, recordId });
}

/**
 * Ids of what need not be kept.
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
