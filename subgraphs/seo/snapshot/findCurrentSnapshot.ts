import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { engineVersion } from '../engine/engineVersion.ts';
import type { Ruleset } from '../engine/ruleset/Ruleset.ts';
import type { TextVersion } from '../object/findText.ts';
import type { LatestSnapshot, StoredSeoRecord } from '../record/model.ts';
import type { StoredSnapshot } from './model.ts';
import { findSnapshot } from './snapshots.ts';
import type { Basis } from './storeSnapshots.ts';

/**
 * The newest stored analysis of an object if it says what an analysis of the saved text would say now; null if there
 * is none, or text, fields, ruleset or engine have changed since.
 */
export async function findCurrentSnapshot(
  context: RequestContext,
  record: StoredSeoRecord | null,
  { textId, contentVersion, ruleset }: Pick<TextVersion, 'textId' | 'contentVersion'> & { ruleset: Ruleset },
): Promise<StoredSnapshot | null> {
  if (!record?.latest) return null;
  const basis = { textId, contentVersion, recordRevision: record.revision, ruleset: ruleset.id };
  if (!isMadeOf(record.latest, basis)) return null;
  const snapshot = await findSnapshot(context, record.latest.snapshotId);
  return snapshot && isOfThisEngine(snapshot) ? snapshot : null;
}

/** Whether this version of the engine made a stored analysis. */
export function isOfThisEngine(snapshot: Pick<StoredSnapshot, 'engineVersion'>): boolean {
  return snapshot.engineVersion === engineVersion;
}

/** Whether the newest stored analysis was made of the same text, fields and ruleset. */
export function isMadeOf(latest: LatestSnapshot, basis: Omit<Basis, 'repetition'>): boolean {
  return (
    (latest.textId ?? null) === basis.textId &&
    latest.contentVersion === basis.contentVersion &&
    latest.recordRevision === basis.recordRevision &&
    latest.ruleset === basis.ruleset
  );
}
