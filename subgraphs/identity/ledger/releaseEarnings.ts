import { scoped } from '../../platform/installation/scoped.ts';
import { dueJob } from '../../platform/jobs/dueJob.ts';
import { dealerAccount } from './accounts.ts';
import { findTransaction, transactionId } from './journal.ts';
import type { LedgerScope } from './LedgerScope.ts';
import { MaturityModel, type MaturityRecord } from './model.ts';
import { postTransaction } from './postTransaction.ts';

/** Moves what payments have earned to where it can be paid out, once its time has come. */
export const releaseEarnings = dueJob({
  name: 'identity.ledger-releases',
  everyMs: 30_000,
  model: MaturityModel,
  due: 'dueAt',
  batchSize: 100,
  // A charge that is not booked yet is looked for again.
  retryMs: 3_600_000,
  work: release,
});

/** What refunds and disputes have taken meanwhile is not there any more. */
async function release(scope: LedgerScope, maturity: MaturityRecord): Promise<void> {
  const { _id: paymentId, dealerId, currency } = maturity;
  const source = { type: 'payment', id: paymentId } as const;
  const { transaction } = await postTransaction(scope, {
    kind: 'release',
    source,
    dealerId,
    currency,
    paymentId,
    mayOverdraw: true,
    postings: async ({ ofPayment }) => {
      const { pending } = await ofPayment(paymentId);
      return [
        { account: dealerAccount(dealerId, 'pending'), currency, amount: -pending },
        { account: dealerAccount(dealerId, 'available'), currency, amount: pending },
      ];
    },
  });
  const charge = { kind: 'charge', source } as const;
  const isBooked =
    transaction !== null ||
    (await findTransaction(scope, transactionId(scope.installationId, charge))) !== null;
  if (isBooked) await scoped(MaturityModel, scope.installationId).deleteMany({ _id: paymentId });
}
