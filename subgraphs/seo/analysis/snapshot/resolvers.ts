import { type Asked, createSelectionTest } from '../../../platform/auth/selectionTest.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { findTextVersion } from '../../pages/object/findText.ts';
import { loadObject } from '../../pages/object/loadObject.ts';
import { toObjectRef } from '../../pages/object/ObjectRef.ts';
import type { StoredSeoRecord } from '../../pages/record/model.ts';
import { findRecordById } from '../../pages/record/records.ts';
import { loadRuleset } from '../../pages/ruleset/rulesets.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { selectChecks } from '../analyze/resolvers.ts';
import { analysesOf } from './analysesOf.ts';
import { findLatestAnalysis, type HistoryEntry, seoAnalysisHistory } from './analysisHistory.ts';
import { isOfThisEngine } from './findCurrentSnapshot.ts';
import { findings, type SnapshotHead, SnapshotModel, type StoredSnapshot } from './model.ts';
import { seoRefresh } from './seoRefresh.ts';
import { findSnapshot, findSnapshotHead } from './snapshots.ts';

/** Parent of the resolvers of a stored analysis. */
export type SeoAnalysisSnapshotParent = SnapshotHead;

/** Parent of the resolvers of an entry of a history. */
export type SeoAnalysisHistoryEntryParent = HistoryEntry;

const resolvers: Resolvers = {
  Query: {
    seoLatestAnalysis: (_, { object, locale }, context) =>
      findLatestAnalysis(context, toObjectRef(object), locale),
    seoAnalysisHistory: (_, args, context) => seoAnalysisHistory(context, args),
  },
  Mutation: { seoRefresh: (_, { input }, context) => seoRefresh(input, context) },
  SeoRecord: {
    latestAnalysis: ({ latest }, _, context, info) => latest && findAsAsked(context, latest.snapshotId, info),
    analyses: (record, page, context) => analysesOf(context, record, page),
  },
  SeoAnalysisSnapshot: {
    __resolveReference: ({ id }, context) => findReachable(context, id),
    record: (snapshot, _, context) => loadRecord(context, snapshot),
    contentVersion: ({ contentVersion }) => String(contentVersion),
    createdBy: ({ createdBy }) => toUser(createdBy),
    stale: (snapshot, _, context) => isStale(context, snapshot),
    checks: async (snapshot, filter, context) =>
      selectChecks((await complete(context, snapshot)).checks, filter),
    metrics: async (snapshot, _, context) => (await complete(context, snapshot)).metrics,
  },
  SeoAnalysisHistoryEntry: {
    contentVersion: ({ contentVersion }) => String(contentVersion),
    createdBy: ({ createdBy }) => toUser(createdBy),
    analysis: ({ _id }, _, context, info) => findAsAsked(context, _id, info),
  },
};

const asksForFindings = createSelectionTest(findings);

/** Returns a stored analysis, with its findings if they are selected. */
function findAsAsked(context: RequestContext, id: string, info: Asked): Promise<SnapshotHead | null> {
  return asksForFindings(info) ? findSnapshot(context, id) : findSnapshotHead(context, id);
}

/** Adds the findings if the analysis was read without them. */
async function complete(context: RequestContext, snapshot: SnapshotHead): Promise<StoredSnapshot> {
  if (isComplete(snapshot)) return snapshot;
  const whole = await findSnapshot(context, snapshot._id);
  if (!whole) throw new Error(`Stored analysis ${snapshot._id} vanished.`);
  return whole;
}

function isComplete(snapshot: SnapshotHead): snapshot is StoredSnapshot {
  return snapshot.checks !== undefined && snapshot.metrics !== undefined;
}

function toUser(id: string): { id: string } | null {
  return isId('user', id) ? { id } : null;
}

async function loadRecord(
  context: RequestContext,
  { _id, recordId }: SnapshotHead,
): Promise<StoredSeoRecord> {
  const record = await findRecordById(context, recordId);
  if (!record) throw new Error(`Stored analysis ${_id} has lost its record ${recordId}.`);
  return record;
}

async function isStale(context: RequestContext, snapshot: SnapshotHead): Promise<boolean> {
  const { objectType: type, objectId: id, contentVersion, recordRevision, ruleset } = snapshot;
  const object = { type, id };
  const [owned, record, current] = await Promise.all([
    loadObject(context, object),
    loadRecord(context, snapshot),
    loadRuleset(context),
  ]);
  const text = await findTextVersion(context, { object, owned }, record.locale);
  return (
    text === null ||
    text.textId !== (snapshot.textId ?? null) ||
    text.contentVersion !== contentVersion ||
    record.revision !== recordRevision ||
    current.id !== ruleset ||
    !isOfThisEngine(snapshot)
  );
}

/** Returns a stored analysis that another subgraph refers to; access depends on its object. */
async function findReachable(context: RequestContext, id: string): Promise<StoredSnapshot | null> {
  const snapshot = isId('seoSnapshot', id) ? await findSnapshot(context, id) : null;
  if (snapshot) await loadObject(context, { type: snapshot.objectType, id: snapshot.objectId });
  return snapshot;
}

/** Stored analyses. */
export const snapshot: Resource = { resolvers, models: [SnapshotModel] };
