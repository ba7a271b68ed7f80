import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { engineVersion } from '../../engine/engineVersion.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import type { TextVersion } from '../../pages/object/findText.ts';
import type { StoredSeoRecord } from '../../pages/record/model.ts';
import type { StoredSnapshot } from './model.ts';
import { findSnapshot } from './snapshots.ts';

/**
 * Returns the latest stored analysis of an object if it is current. Null if there is none, or if text, fields, ruleset
 * or engine have changed since.
 */
export async function findCurrentSnapshot(
  context: RequestContext,
  record: StoredSeoRecord | null,
  { textId, contentVersion, ruleset }: Pick<TextVersion, 'textId' | 'contentVersion'> & { ruleset: Ruleset },
): Promise<StoredSnapshot | null> {
  if (!record?.latest) return null;
  const { latest, revision } = record;
  const isOfSameContent =
    (latest.textId ?? null) === textId &&
    latest.contentVersion === contentVersion &&
    latest.recordRevision === revision &&
    latest.ruleset === ruleset.id;
  if (!isOfSameContent) return null;
  const snapshot = await findSnapshot(context, latest.snapshotId);
  return snapshot && isOfThisEngine(snapshot) ? snapshot : null;
}

/** Returns whether this version of the engine created a stored analysis. */
export function isOfThisEngine(snapshot: Pick<StoredSnapshot, 'engineVersion'>): boolean {
  return snapshot.engineVersion === engineVersion;
}
