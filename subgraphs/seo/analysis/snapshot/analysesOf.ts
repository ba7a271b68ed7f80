import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { decodeCursor, encodeCursor } from '../../../platform/pagination/cursor.ts';
import { type Connection, pageSize } from '../../../platform/pagination/findPage.ts';
import { toPageInfo } from '../../../platform/pagination/PageInfo.ts';
import type { StoredSeoRecord } from '../../pages/record/model.ts';
import type { SeoRecordanalysesArgs } from '../../seo.generated.ts';
import { type HistoryEntry, projection } from './analysisHistory.ts';
import type { StoredSnapshot } from './model.ts';
import { snapshotsOf } from './snapshots.ts';

/**
 * Returns a page of a record's stored analyses, in descending order of creation. Any number of records is one command:
 * few are kept for each, so all of them are read, without their checks.
 */
export async function analysesOf(
  context: RequestContext,
  { _id }: StoredSeoRecord,
  { first, after }: SeoRecordanalysesArgs,
): Promise<Connection<HistoryEntry>> {
  const size = pageSize(first);
  const binding = ['SeoRecord.analyses', _id];
  const [at = null, id = null] = after ? decodeCursor(context, binding, after) : [];
  const all = await context.loader(analysesByRecord).load(_id);
  const rest = after ? all.filter((one) => isBehind(one, new Date(String(at)).getTime(), String(id))) : all;
  const nodes = rest.slice(0, size);
  const pageInfo = toPageInfo(nodes, {
    hasNextPage: rest.length > size,
    after,
    cursorOf: (entry) => encodeCursor(context, binding, [entry.createdAt.toISOString(), entry._id]),
  });
  return { nodes, pageInfo };
}

function isBehind({ createdAt, _id }: HistoryEntry, at: number, id: string): boolean {
  return createdAt.getTime() < at || (createdAt.getTime() === at && _id < id);
}

function analysesByRecord(context: RequestContext): DataLoader<string, StoredSnapshot[]> {
  return new DataLoader(async (ids) => {
    const found = await snapshotsOf(context).find(
      { recordId: { $in: [...ids] } },
      { projection: { ...projection, recordId: 1 }, sort: { createdAt: -1, _id: -1 } },
    );
    const byRecord = Map.groupBy(found, ({ recordId }) => recordId);
    return ids.map((id) => byRecord.get(id) ?? []);
  });
}
