import type { InstallationContext } from '../../platform/context/InstallationContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { TranslationModel } from './model.ts';

/**
 * Unassigns every translation of a deleted user.
 *
 * @param by name of the job, as the author of the change
 */
export async function unassignTranslations(
  { installationId, platform }: InstallationContext,
  assigneeId: string,
  by: string,
): Promise<void> {
  await scoped(TranslationModel, installationId).updateMany(
    { assigneeId },
    {
      $set: { assigneeId: null, updatedAt: new Date(platform.now()), updatedBy: by },
      $inc: { version: 1 },
    },
  );
}
