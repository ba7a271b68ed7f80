import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound } from '../../../platform/errors/AppError.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { SettlePayoutInput } from '../../identity.generated.ts';
import { assertFourEyes } from '../../kernel/dealer-standing/assertFourEyes.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import { postTransaction } from '../ledger/postTransaction.ts';
import { toUpdate } from '../steps/takeSteps.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { arrive, fail, payoutSteps } from './payoutSteps.ts';
import { invalidTransition } from './states.ts';

const longestReference = 200;

/** Failure code of a bank transfer that the bank did not carry out. */
const transferFailed = 'transfer_failed';

/**
 * Records that finance has made the bank transfer of a payout, or that the bank refused it. Of several concurrent
 * calls, one succeeds.
 */
export async function settlePayout(
  { payoutId, outcome, ...input }: SettlePayoutInput,
  context: RequestContext,
): Promise<{ payout: PayoutRecord }> {
  const reference = input.reference.trim();
  const problems = [...checkLine(reference, '#/reference', { maximum: longestReference })];
  if (problems.length > 0) throw invalidFields(problems);
  if (!isId('payout', payoutId)) throw notFound('The payout');
  const settlementKey = context.attempt.newId('payout');
  const payouts = scoped(PayoutModel, context.installationId);
  const known = await payouts.findOne({ _id: payoutId }, { projection: { dealerId: 1 } });
  if (!known) throw notFound('The payout');
  assertFourEyes(context, known);
  return inLedgerTransaction(known.dealerId, async (session) => {
    const before = await payouts.findOne({ _id: payoutId }, { session });
    if (!before) throw notFound('The payout');
    // An earlier run under the same key may have crashed before it responded.
    if (before.settlementKey === settlementKey) return { payout: before };
    if (!before.awaitsTransferSince) throw invalidTransition(before.state, 'settled');
    const { ref, version } = before;
    const { changes, post = [] } =
      outcome === 'made'
        ? arrive(before, { ref, arrivalDate: new Date(context.platform.now()) }, null)
        : fail(context, before, { failureCode: transferFailed, ref });
    const payout = await payouts.findOneAndUpdate(
      { _id: payoutId, version },
      toUpdate(payoutSteps, context, before, { ...changes, settlementKey }),
      { session },
    );
    if (!payout) throw concurrentUpdate('payout');
    for (const transaction of post) await postTransaction(context, transaction, session);
    const target = { type: 'payout', id: payoutId };
    await recordAudit(context, { action: 'settlePayout', target, reason: reference }, { session });
    return { payout };
  });
}
