import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type Connection, emptyPage, findPage } from '../../../platform/pagination/findPage.ts';
import { loadObject, localeOf } from '../../pages/object/loadObject.ts';
import { type ObjectRef, toObjectRef } from '../../pages/object/ObjectRef.ts';
import type { StoredSeoRecord } from '../../pages/record/model.ts';
import { findRecord } from '../../pages/record/records.ts';
import type { QueryseoAnalysisHistoryArgs } from '../../seo.generated.ts';
import type { StoredSnapshot } from './model.ts';
import { findSnapshot, snapshotsOf } from './snapshots.ts';

/** Members of a stored analysis in a history. Its checks are many times as large. */
const shown = ['createdAt', 'createdBy', 'contentVersion', 'source', 'ruleset', 'scores'] as const;

/** A stored analysis in a history. */
export type HistoryEntry = Pick<StoredSnapshot, '_id' | (typeof shown)[number]>;

/** Projection of the members of a stored analysis without its findings. */
export const projection = Object.fromEntries(shown.map((member) => [member, 1]));

/** Returns the latest stored analysis of an object in a language; null before the first one. */
export async function findLatestAnalysis(
  context: RequestContext,
  object: ObjectRef,
  locale: string | null | undefined,
): Promise<StoredSnapshot | null> {
  const record = await findReachableRecord(context, object, locale);
  return record?.latest ? findSnapshot(context, record.latest.snapshotId) : null;
}

/** Returns the stored analyses of an object in a language, in descending order of creation. */
export async function seoAnalysisHistory(
  context: RequestContext,
  { object, locale, first, after }: QueryseoAnalysisHistoryArgs,
): Promise<Connection<HistoryEntry>> {
  const record = await findReachableRecord(context, toObjectRef(object), locale);
  if (!record) return emptyPage(after);
  const snapshots = snapshotsOf(context);
  return findPage<StoredSnapshot>({
    context,
    collection: { find: (filter, options) => snapshots.find(filter, { ...options, projection }) },
    filter: { recordId: record._id },
    sort: [{ key: 'createdAt', direction: -1 }],
    first,
    after,
  });
}

async function findReachableRecord(
  context: RequestContext,
  object: ObjectRef,
  locale: string | null | undefined,
): Promise<StoredSeoRecord | null> {
  const owned = await loadObject(context, object);
  return findRecord(context, { object, locale: localeOf(context, owned, locale) });
}
