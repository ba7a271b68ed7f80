import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { snapshotsOf } from '../../analysis/snapshot/snapshots.ts';
import type { ObjectRef, ObjectType } from '../../pages/object/ObjectRef.ts';
import { recordsOf } from '../../pages/record/records.ts';
import { type SeoPage, SeoPageModel } from '../../pages/site-index/model.ts';
import type { SeoAuditFilterInput } from '../../seo.generated.ts';
import { mostItems, type Visibility } from '../job/model.ts';

/** Maximum number of objects that one filter examines, regardless of its matches. */
const mostExamined = 10_000;
const batchSize = 1000;

/** Objects that a filter found among the copies in this subgraph. */
export interface FoundObjects {
  objects: ObjectRef[];
  examined: number;
}

/** Returns the visibilities of objects in these states. */
export function visibilitiesOf({ status }: SeoAuditFilterInput): Visibility[] | null {
  return status ? [...new Set(status.map((one) => (one === 'published' ? 'PUBLIC' : 'PRIVATE')))] : null;
}

/**
 * Finds objects by a filter. The local data may be slightly outdated, so their owner is queried before they become
 * items. Objects are read in batches by id, so the cost depends on the number of examined objects only.
 */
export async function findObjects(
  context: RequestContext,
  filter: SeoAuditFilterInput,
  locale: string | null,
): Promise<FoundObjects> {
  const limit = filter.limit ?? mostItems;
  const found: FoundObjects = { objects: [], examined: 0 };
  for (const type of new Set(filter.types))
    for (let after = ''; found.objects.length < limit && found.examined < mostExamined; ) {
      const pages = await reads(SeoPageModel, context.installationId).find(
        toPageFilter(type, filter, after),
        {
          projection: { objectId: 1 },
          sort: { _id: 1 },
          limit: batchSize,
          inOneBatch: true,
        },
      );
      const ids = pages.map(({ objectId }) => objectId);
      const wanted = await selectByScore(context, { type, ids, locale }, filter);
      found.objects.push(...wanted.map((id) => ({ type, id })));
      found.examined += pages.length;
      after = pages.at(-1)?._id ?? '';
      if (pages.length < batchSize) break;
    }
  return { ...found, objects: found.objects.slice(0, limit) };
}

function toPageFilter(type: ObjectType, filter: SeoAuditFilterInput, after: string): QueryFilter<SeoPage> {
  const visibilities = visibilitiesOf(filter);
  return {
    objectType: type,
    deleted: false,
    _id: { $gt: after },
    ...(visibilities && { visibility: { $in: visibilities } }),
    ...(filter.updatedAfter && { updatedAt: { $gt: new Date(filter.updatedAfter) } }),
  };
}

interface Candidates {
  type: ObjectType;
  ids: string[];
  locale: string | null;
}

/** Returns the objects with a low score, those without a stored analysis, or both; all if neither is requested. */
async function selectByScore(
  context: RequestContext,
  { type, ids, locale }: Candidates,
  { scoreBelow, neverAnalysed }: SeoAuditFilterInput,
): Promise<string[]> {
  const isScored = scoreBelow !== null && scoreBelow !== undefined;
  if (ids.length === 0 || (!isScored && !neverAnalysed)) return ids;
  const records = await recordsOf(context).find(
    { objectType: type, objectId: { $in: ids }, latest: { $ne: null }, ...(locale && { locale }) },
    { projection: { objectId: 1, 'latest.snapshotId': 1 } },
  );
  const analysed = new Set(records.map(({ objectId }) => objectId));
  const low = isScored ? await findLow(context, records, scoreBelow) : new Set<string>();
  return ids.filter((id) => low.has(id) || (neverAnalysed && !analysed.has(id)));
}

async function findLow(
  context: RequestContext,
  records: readonly { latest: { snapshotId: string } | null }[],
  scoreBelow: number,
): Promise<ReadonlySet<string>> {
  const ids = records.flatMap(({ latest }) => (latest ? [latest.snapshotId] : []));
  if (ids.length === 0) return new Set();
  const snapshots = await snapshotsOf(context).find(
    { _id: { $in: ids }, 'scores.seo.value': { $lt: scoreBelow } },
    { projection: { objectId: 1 } },
  );
  return new Set(snapshots.map(({ objectId }) => objectId));
}
