import type { ClientSession } from 'mongoose';
import { scoped } from '../../../platform/installation/scoped.ts';
import { ChargebackModel } from './model.ts';

/** Returns whether a bank decides about chargebacks of a dealer, which may return their money to the dealer. */
export async function hasOpenChargebacks(
  { _id, installationId }: { _id: string; installationId: string },
  session: ClientSession,
): Promise<boolean> {
  const open = { dealerId: _id, state: 'open' as const };
  return (await scoped(ChargebackModel, installationId).count(open, { limit: 1, session })) > 0;
}
