import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { collection } from './collection.ts';

/** Stores a payout whose amount the ledger has reserved. */
export async function storePayout(
  installationId: string,
  dealerId: string,
  {
    state = 'pending',
    heldBy,
    awaitsTransferSince,
  }: { state?: string; heldBy?: string; awaitsTransferSince?: Date } = {},
): Promise<string> {
  const at = new Date();
  const id = newId('payout');
  await collection('payouts').insertOne({
    _id: id,
    installationId,
    dealerId,
    amount: { amount: 700, currency: 'EUR' },
    kind: 'manual',
    state,
    hold: heldBy ? { reason: 'Looks odd', by: { type: 'user', id: heldBy }, at } : null,
    provider: 'sandbox',
    ref: null,
    attempt: 1,
    arrivalDate: null,
    failureCode: null,
    ...(awaitsTransferSince && { awaitsTransferSince }),
    dueAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  });
  return id;
}
