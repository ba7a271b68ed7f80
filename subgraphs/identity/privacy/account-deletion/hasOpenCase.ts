import { reads } from '../../../platform/installation/scoped.ts';
import type { ErasedUser } from '../../kernel/personal-data/PersonalData.ts';
import { MediaModel } from '../../media/model.ts';
import { findDisputesOf } from '../../payments/dispute/record/findDisputesOf.ts';
import { openStates } from '../../payments/dispute/record/states.ts';

/** Returns whether an open dispute or report holds files or texts of an erased account. */
export async function hasOpenCase({
  installationId,
  userId,
}: Pick<ErasedUser, 'installationId' | 'userId'>): Promise<boolean> {
  const disputes = await findDisputesOf(installationId, userId);
  if (disputes.some(({ state }) => openStates.includes(state))) return true;
  const held = await reads(MediaModel, installationId).count(
    {
      'owner.id': userId,
      'legalHolds.0': { $exists: true },
      state: { $nin: ['deleted', 'purged'] },
    },
    { limit: 1 },
  );
  return held > 0;
}
