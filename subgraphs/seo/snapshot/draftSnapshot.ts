import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { OwnedContent } from '../../platform/federation/askOwner.ts';
import { savedPage } from '../analysis/savedPage.ts';
import type { AnalysisInput } from '../engine/contract.ts';
import type { Ruleset } from '../engine/ruleset/Ruleset.ts';
import type { ObjectRef } from '../object/ObjectRef.ts';
import type { StoredSeoRecord } from '../record/model.ts';
import { ensureRecord } from '../record/records.ts';
import { withSurroundings } from '../surrounding/withSurroundings.ts';
import { isMadeOf } from './findCurrentSnapshot.ts';
import type { StoredSnapshot } from './model.ts';
import { findSnapshot } from './snapshots.ts';
import type { Basis } from './storeSnapshots.ts';

/** A saved text, as its owner answers it, and how it is analysed for whom. */
export interface Subject {
  readonly object: ObjectRef;
  readonly locale: string;
  readonly content: OwnedContent;
  readonly contentVersion: number;
  readonly ruleset: Ruleset;
  readonly source: StoredSnapshot['source'];
  /** Analyses although nothing changed. */
  readonly force?: boolean;
}

/** An analysis that is to be made. */
export interface SnapshotDraft {
  readonly record: StoredSeoRecord;
  readonly previous: StoredSnapshot | null;
  readonly basis: Basis;
  readonly source: StoredSnapshot['source'];
  readonly ruleset: Ruleset;
  /** Null where the newest stored analysis was made of the same text, fields and ruleset, and is the result. */
  readonly page: AnalysisInput | null;
}

/** Reads what an analysis of a saved text depends on. Batched: those of several objects cost the commands of one. */
export async function draftSnapshot(
  context: RequestContext,
  { object, locale, content, contentVersion, ruleset, source, force = false }: Subject,
): Promise<SnapshotDraft> {
  const record = await ensureRecord(context, { object, locale });
  const previous = record.latest && (await findSnapshot(context, record.latest.snapshotId));
  const basis: Basis = {
    contentVersion,
    recordRevision: record.revision,
    ruleset: ruleset.id,
    repetition: 0,
  };
  const draft = { record, previous, basis, source, ruleset };
  if (record.latest && isMadeOf(record.latest, basis)) {
    if (previous && !force) return { ...draft, page: null };
    basis.repetition = record.latest.repetition + 1;
  }
  const saved = savedPage(object.type, locale, content, record);
  return { ...draft, page: await withSurroundings(context, { object, locale }, saved) };
}
