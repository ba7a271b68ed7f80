import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, invalidFields } from '../../../platform/errors/AppError.ts';
import type { CreateLedgerAdjustmentInput } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { type Posting, readAccount } from './accounts.ts';
import { checkAdjustment } from './checkAdjustment.ts';
import { inLedgerTransaction } from './inLedgerTransaction.ts';
import type { LedgerTransactionRecord } from './model.ts';
import { postTransaction } from './postTransaction.ts';

export async function createLedgerAdjustment(
  input: CreateLedgerAdjustmentInput,
  context: RequestContext,
): Promise<{ transaction: LedgerTransactionRecord }> {
  const reason = input.reason.trim();
  const postings = input.postings.map(({ account, amount }) => ({ account, ...amount }));
  const problems = checkAdjustment(reason, postings);
  if (problems.length > 0) throw invalidFields(problems);
  const dealerId = await findDealerId(postings, context);
  assertSum(postings);
  const wanted = {
    kind: 'adjustment',
    source: { type: 'adjustment', id: context.attempt.newId('ledgerTransaction') },
    dealerId,
    currency: postings[0]?.currency ?? '',
    postings,
    reason,
    mayOverdraw: true,
  } as const;
  return inLedgerTransaction(dealerId, async (session) => {
    const { transaction, isNew } = await postTransaction(context, wanted, session);
    // An earlier attempt under the same key may have committed and crashed before it responded.
    if (!isNew) return { transaction };
    const target = { type: 'ledgerTransaction', id: transaction._id };
    await recordAudit(context, { action: 'createLedgerAdjustment', target, reason }, { session });
    return { transaction };
  });
}

/** Returns the dealer's id. A dealer of another installation is treated as missing. */
async function findDealerId(postings: readonly Posting[], context: RequestContext): Promise<string | null> {
  const accounts = postings.map(({ account }) => readAccount(account));
  const at = accounts.findIndex((account) => account?.holder === 'dealer');
  const account = accounts[at];
  if (account?.holder !== 'dealer') return null;
  if (await context.loader(dealerLoader).load(account.dealerId)) return account.dealerId;
  throw invalidField(`#/postings/${at}/account`, 'This dealer does not exist.');
}

function assertSum(postings: readonly Posting[]): void {
  const sum = postings.reduce((total, { amount }) => total + BigInt(amount), 0n);
  if (sum === 0n) return;
  throw new AppError('unbalanced', `The lines add up to ${sum} instead of 0.`, {
    errors: [
      {
        pointer: '#/postings',
        code: 'unbalanced',
        detail: `The lines must add up to 0, but add up to ${sum}.`,
      },
    ],
  });
}
