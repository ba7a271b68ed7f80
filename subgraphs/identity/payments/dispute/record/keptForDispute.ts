import type { ClientSession } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import type { PaymentRecord } from '../../payment/record/model.ts';
import { DisputeModel } from './model.ts';
import { openStates } from './states.ts';

/** Returns the amount of a payment that an open dispute holds, which cannot be refunded, in minor units. */
export async function keptForDispute(
  { disputeId, installationId }: Pick<PaymentRecord, 'disputeId' | 'installationId'>,
  session: ClientSession,
): Promise<number> {
  if (disputeId === null) return 0;
  const dispute = await scoped(DisputeModel, installationId).findOne({ _id: disputeId }, { session });
  return dispute && openStates.includes(dispute.state) ? dispute.amount : 0;
}
