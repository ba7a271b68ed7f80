import { scoped } from '../../../platform/installation/scoped.ts';
import { dueJob } from '../../../platform/jobs/dueJob.ts';
import { hourMs } from '../../../platform/time/durations.ts';
import { dealerAccount } from './accounts.ts';
import { inLedgerTransaction } from './inLedgerTransaction.ts';
import type { LedgerContext } from './MoneyContext.ts';
import { MaturityModel, type MaturityRecord } from './model.ts';
import { amountsOfPayment, postTransaction } from './postTransaction.ts';

/** Moves earnings of payments from the pending to the available account when their holding period has ended. */
export const releaseEarnings = dueJob({
  name: 'identity.ledger-releases',
  everyMs: 30_000,
  model: MaturityModel,
  due: 'dueAt',
  batchSize: 100,
  retryMs: hourMs,
  work: release,
});

/** Releases what is left of the earnings, because refunds and disputes may have reduced them. */
function release(scope: LedgerContext, maturity: MaturityRecord): Promise<void> {
  const { _id: paymentId, dealerId, currency } = maturity;
  return inLedgerTransaction(dealerId, async (session) => {
    const { pending } = await amountsOfPayment(scope, { paymentId, dealerId }, session);
    const postings = [
      { account: dealerAccount(dealerId, 'pending'), currency, amount: -pending },
      { account: dealerAccount(dealerId, 'available'), currency, amount: pending },
    ];
    const source = { type: 'payment', id: paymentId } as const;
    const common = { source, dealerId, currency, paymentId, mayOverdraw: true };
    if (pending !== 0) await postTransaction(scope, { ...common, kind: 'release', postings }, session);
    await scoped(MaturityModel, scope.installationId).deleteMany({ _id: paymentId }, { session });
  });
}
