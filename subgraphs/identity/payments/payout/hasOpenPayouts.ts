import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { PayoutModel } from './model.ts';

/**
 * Returns whether a dealer has payouts that a job still follows. A bank may return a payout for a week after it was
 * paid.
 */
export async function hasOpenPayouts(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const followed = { dealerId: _id, dueAt: { $type: 'date' as const } };
  return (await scoped(PayoutModel, installationId).count(followed, { limit: 1, session })) > 0;
}
