import { repeatableId } from '../../../platform/ids/newId.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { Job } from '../../../platform/jobs/Job.ts';
import { DealerModel, type DealerRecord } from '../../people/dealer/model.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { LedgerBalanceModel, type LedgerBalanceRecord } from '../ledger/model.ts';
import { createPayout } from './createPayout.ts';
import { PayoutModel } from './model.ts';
import { isBelowMinimum, payableOf } from './requestPayout.ts';

const batchSize = 100;

/**
 * Pays out what is available to dealers whose day it is, once a day and currency; days are those of UTC.
 */
export const scheduledPayouts: Job = {
  name: 'identity.scheduled-payouts',
  everyMs: 15 * 60_000,
  async run({ platform, signal, assertHeld }) {
    const at = new Date(platform.now());
    for (const installation of platform.installations.all) {
      const scope: MoneyContext = { installationId: installation.id, installation, platform };
      let last = '';
      for (;;) {
        if (signal.aborted) return;
        await assertHeld();
        const dealers = await dueDealers(scope, at, last);
        last = dealers.at(-1)?._id ?? '';
        await payOut(scope, dealers, at);
        if (dealers.length < batchSize) break;
      }
    }
  },
};

async function dueDealers(scope: MoneyContext, at: Date, last: string): Promise<DealerRecord[]> {
  const ways = [
    { 'payout.schedule.interval': 'daily' as const },
    { 'payout.schedule.interval': 'weekly' as const, 'payout.schedule.anchor': at.getUTCDay() || 7 },
    { 'payout.schedule.interval': 'monthly' as const, 'payout.schedule.anchor': at.getUTCDate() },
  ];
  return reads(DealerModel, scope.installationId).find(
    { _id: { $gt: last }, state: 'active', 'payout.accountState': 'active', $or: ways },
    { sort: { _id: 1 }, limit: batchSize },
  );
}

async function payOut(scope: MoneyContext, dealers: readonly DealerRecord[], at: Date): Promise<void> {
  if (dealers.length === 0) return;
  const byId = new Map(dealers.map((dealer) => [dealer._id, dealer]));
  const balances = await scoped(LedgerBalanceModel, scope.installationId).find(
    { dealerId: { $in: [...byId.keys()] }, 'accounts.available': { $gt: 0 } },
    { sort: { dealerId: 1, currency: 1 } },
  );
  const due = balances.flatMap((balance) => {
    const dealer = byId.get(balance.dealerId);
    return dealer && isDue(scope, dealer, balance)
      ? [{ _id: idOf(scope, balance, at), dealer, balance }]
      : [];
  });
  const begun = await scoped(PayoutModel, scope.installationId).find(
    { _id: { $in: due.map(({ _id }) => _id) } },
    { projection: { _id: 1 }, sort: { _id: 1 } },
  );
  const ids = new Set(begun.map(({ _id }) => _id));
  for (const one of due) if (!ids.has(one._id)) await begin(scope, one);
}

function isDue(scope: MoneyContext, dealer: DealerRecord, balance: LedgerBalanceRecord): boolean {
  const amount = payableOf(scope, balance);
  return amount.amount > 0 && !isBelowMinimum(dealer, amount);
}

/** Reads the balance again in the transaction, because it may have decreased. */
function begin(
  scope: MoneyContext,
  { _id, dealer, balance }: { _id: string; dealer: DealerRecord; balance: LedgerBalanceRecord },
): Promise<void> {
  const { installationId } = scope;
  return inLedgerTransaction(dealer._id, async (session) => {
    if (await scoped(PayoutModel, installationId).findOne({ _id }, { session })) return;
    const now = await scoped(LedgerBalanceModel, installationId).findOne({ _id: balance._id }, { session });
    if (!now || !isDue(scope, dealer, now)) return;
    const stated = { dealerId: dealer._id, amount: payableOf(scope, now), kind: 'scheduled' } as const;
    await createPayout(scope, { _id, ...stated }, session);
  });
}

/** Returns the id of a scheduled payout, which is the same during a whole day. */
function idOf(
  { installationId }: MoneyContext,
  { dealerId, currency }: LedgerBalanceRecord,
  at: Date,
): string {
  return repeatableId('payout', installationId, dealerId, currency, at.toISOString().slice(0, 10));
}
