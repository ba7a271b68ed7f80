import { scoped } from '../../platform/installation/scoped.ts';
import { drainEach } from '../../platform/jobs/drainEach.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { dealerAccount } from './accounts.ts';
import { findTransaction, transactionId } from './journal.ts';
import type { LedgerScope } from './LedgerScope.ts';
import { MaturityModel, type MaturityRecord } from './model.ts';
import { postTransaction } from './postTransaction.ts';

const batchSize = 100;
/** A charge that is not booked yet is looked for again. */
const againMs = 3_600_000;

/** Moves what payments have earned to where it can be paid out, once its time has come. */
export const releaseEarnings: Job = {
  name: 'identity.ledger-releases',
  everyMs: 30_000,
  run: (run) =>
    drainEach(run, batchSize, async ({ id: installationId }) => {
      const { platform } = run;
      const due = await scoped(MaturityModel, installationId).find(
        { dueAt: { $lte: new Date(platform.now()) } },
        { sort: { dueAt: 1 }, limit: batchSize },
      );
      for (const maturity of due) await release({ installationId, platform }, maturity);
      return due.length;
    }),
};

/** What refunds and disputes have taken meanwhile is not there any more. */
async function release(scope: LedgerScope, maturity: MaturityRecord): Promise<void> {
  const { _id: paymentId, dealerId, currency } = maturity;
  const maturities = scoped(MaturityModel, scope.installationId);
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
  if (isBooked) await maturities.deleteMany({ _id: paymentId });
  else
    await maturities.findOneAndUpdate(
      { _id: paymentId },
      { $set: { dueAt: new Date(scope.platform.now() + againMs) } },
    );
}
