import { repeatableId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import { LedgerBalanceModel, type LedgerBalanceRecord } from '../ledger/model.ts';
import { PayoutModel } from './model.ts';
import { newPayout } from './newPayout.ts';
import type { PayoutScope } from './PayoutScope.ts';
import { isBelowMinimum } from './requestPayout.ts';
import { workOnPayout } from './workOnPayout.ts';

const batchSize = 100;

/** Pays out what is available to dealers whose day it is, once a day and currency; days are those of UTC. */
export const scheduledPayouts: Job = {
  name: 'identity.scheduled-payouts',
  everyMs: 15 * 60_000,
  async run({ platform, signal, assertHeld }) {
    const at = new Date(platform.now());
    for (const installation of platform.installations.all) {
      const scope: PayoutScope = { installationId: installation.id, installation, platform };
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

async function dueDealers(scope: PayoutScope, at: Date, last: string): Promise<DealerRecord[]> {
  const ways = [
    { 'payout.schedule.interval': 'daily' as const },
    { 'payout.schedule.interval': 'weekly' as const, 'payout.schedule.anchor': at.getUTCDay() || 7 },
    { 'payout.schedule.interval': 'monthly' as const, 'payout.schedule.anchor': at.getUTCDate() },
  ];
  return scoped(DealerModel, scope.installationId).find(
    { _id: { $gt: last }, state: 'active', 'payout.accountState': 'active', $or: ways },
    { sort: { _id: 1 }, limit: batchSize },
  );
}

async function payOut(scope: PayoutScope, dealers: readonly DealerRecord[], at: Date): Promise<void> {
  if (dealers.length === 0) return;
  const byId = new Map(dealers.map((dealer) => [dealer._id, dealer]));
  const balances = await scoped(LedgerBalanceModel, scope.installationId).find(
    { dealerId: { $in: [...byId.keys()] }, 'accounts.available': { $gt: 0 } },
    { sort: { dealerId: 1, currency: 1 } },
  );
  const payouts = balances.flatMap((balance) => {
    const dealer = byId.get(balance.dealerId);
    const amount = { amount: balance.accounts.available, currency: balance.currency };
    if (!dealer || isBelowMinimum(dealer, amount)) return [];
    return [newPayout(scope, { _id: idOf(balance, at), dealerId: dealer._id, amount, kind: 'scheduled' })];
  });
  if (payouts.length === 0) return;
  const known = await scoped(PayoutModel, scope.installationId).insertAbsent(payouts);
  for (const [index, payout] of payouts.entries())
    if (!known.has(index)) await workOnPayout(scope, { ...payout, installationId: scope.installationId });
}

/** The same one all day, however often it is looked for. */
function idOf({ installationId, dealerId, currency }: LedgerBalanceRecord, at: Date): string {
  return repeatableId('payout', installationId, dealerId, currency, at.toISOString().slice(0, 10));
}
