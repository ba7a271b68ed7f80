import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { RefundModel } from './record/model.ts';

/**
 * Returns whether a dealer has refunds that the provider may still cancel, which returns their money to the dealer. A
 * failed refund is requested again until finance has settled it.
 */
export async function hasOpenRefunds(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const open = {
    dealerId: _id,
    $or: [
      { state: 'pending' as const, dueAt: { $type: 'date' as const } },
      { state: 'failed' as const, settlement: null },
    ],
  };
  return (await scoped(RefundModel, installationId).count(open, { limit: 1, session })) > 0;
}
