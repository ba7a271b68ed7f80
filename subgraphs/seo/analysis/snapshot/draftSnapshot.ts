import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { AnalysisInput } from '../../engine/contract.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import type { ObjectText } from '../../pages/object/findText.ts';
import type { ObjectRef } from '../../pages/object/ObjectRef.ts';
import type { StoredSeoRecord } from '../../pages/record/model.ts';
import { ensureRecord } from '../../pages/record/records.ts';
import { compareWithSite } from '../../pages/site-index/compareWithSite.ts';
import { savedPage } from '../analyze/savedPage.ts';
import { findCurrentSnapshot } from './findCurrentSnapshot.ts';
import type { StoredSnapshot } from './model.ts';
import { findSnapshot } from './snapshots.ts';
import type { Basis } from './storeSnapshots.ts';

/** A saved text from its owner, with the settings of its analysis. */
export interface Subject {
  readonly object: ObjectRef;
  readonly locale: string;
  readonly text: ObjectText;
  readonly ruleset: Ruleset;
  readonly source: StoredSnapshot['source'];
  /** Whether to analyze although nothing has changed. */
  readonly force?: boolean;
}

/** An analysis to create. */
export interface SnapshotDraft {
  readonly record: StoredSeoRecord;
  readonly previous: StoredSnapshot | null;
  readonly basis: Basis;
  readonly source: StoredSnapshot['source'];
  readonly ruleset: Ruleset;
  /**
   * Input of the analysis; null if this engine has created the latest one from the same text, fields and ruleset, which
   * is then the result.
   */
  readonly page: AnalysisInput | null;
}

/** Reads the inputs of an analysis of a saved text. Batched: several objects cost the commands of one. */
export async function draftSnapshot(
  context: RequestContext,
  { object, locale, text, ruleset, source, force = false }: Subject,
): Promise<SnapshotDraft> {
  const record = await ensureRecord(context, { object, locale });
  const previous = record.latest && (await findSnapshot(context, record.latest.snapshotId));
  const { textId, contentVersion, content, holder } = text;
  const basis: Basis = {
    textId,
    contentVersion,
    recordRevision: record.revision,
    ruleset: ruleset.id,
    repetition: record.latest ? record.latest.repetition + 1 : 0,
  };
  const draft = { record, previous, basis, source, ruleset };
  const current = await findCurrentSnapshot(context, record, { textId, contentVersion, ruleset });
  if (current && !force) return { ...draft, page: null };
  const saved = savedPage(object.type, locale, content, record);
  return { ...draft, page: await compareWithSite(context, { object, holder, locale }, saved) };
}
