import type { Platform } from '../../platform/context/Platform.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { TranslationModel } from './model.ts';

/** An object's new texts. */
export interface ChangedSource {
  readonly installationId: string;
  readonly platform: Pick<Platform, 'now'>;
  readonly objectKey: string;
  readonly digest: string;
  readonly at: Date;
}

/**
 * Updates the stored flag of everything that was translated from an object, for any number of translations. If the
 * source returns to earlier texts, nothing is outdated. Work lists read the flag; other code compares digests. Versions
 * are unchanged, because these texts have not changed.
 */
export async function flagDerived({
  installationId,
  platform,
  objectKey,
  digest,
  at,
}: ChangedSource): Promise<void> {
  const translations = scoped(TranslationModel, installationId);
  const derived = { 'derivedFrom.objectKey': objectKey };
  await translations.updateMany(
    { ...derived, 'derivedFrom.digest': { $ne: digest }, outdated: false },
    { $set: { outdated: true, outdatedSince: at }, $push: announce({ platform }, 'translation.changed') },
  );
  await translations.updateMany(
    { ...derived, 'derivedFrom.digest': digest, outdated: true, flaggedOutdated: false },
    { $set: { outdated: false, outdatedSince: null }, $push: announce({ platform }, 'translation.changed') },
  );
}
