import { scoped } from '../../../../platform/installation/scoped.ts';
import { PaymentModel } from '../../payment/record/model.ts';
import { DisputeModel, type DisputeRecord } from './model.ts';

/** Returns every dispute that a payer has opened. */
export async function findDisputesOf(installationId: string, userId: string): Promise<DisputeRecord[]> {
  const disputed = await scoped(PaymentModel, installationId).find(
    { 'payer.userId': userId, disputeId: { $type: 'string' } },
    { projection: { disputeId: 1 }, sort: { createdAt: -1, _id: -1 } },
  );
  if (disputed.length === 0) return [];
  const ids = disputed.map(({ disputeId }) => String(disputeId));
  return scoped(DisputeModel, installationId).find({ _id: { $in: ids } }, { sort: { _id: 1 } });
}
