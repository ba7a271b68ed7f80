import { repeatableId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import { LedgerBalanceModel } from '../ledger/model.ts';
import { movablePartOf } from '../payment-provider/checkAmount.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { newPayout } from './newPayout.ts';
import type { PayoutScope } from './PayoutScope.ts';
import { isBelowMinimum } from './requestPayout.ts';
import { workOnPayout } from './workOnPayout.ts';

const batchSize = 100;
/** Number of payouts of a dealer that can lose a race on one day. */
const mostTurns = 20;

/**
 * Pays out what is available to dealers whose day it is, once a day and currency; days are those of UTC. A payout whose money
 * was taken by something else before it was set aside is called off unseen, and replaced by the next run of the day.
 */
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

/** What a dealer can be paid in one currency. */
type Due = Pick<PayoutRecord, 'dealerId' | 'amount'>;

async function payOut(scope: PayoutScope, dealers: readonly DealerRecord[], at: Date): Promise<void> {
  if (dealers.length === 0) return;
  const byId = new Map(dealers.map((dealer) => [dealer._id, dealer]));
  const balances = await scoped(LedgerBalanceModel, scope.installationId).find(
    { dealerId: { $in: [...byId.keys()] }, 'accounts.available': { $gt: 0 } },
    { sort: { dealerId: 1, currency: 1 } },
  );
  const provider = providerOf(scope.platform, scope.installation);
  let due: readonly Due[] = balances.flatMap(({ dealerId, currency, accounts }) => {
    const dealer = byId.get(dealerId);
    const available = { amount: accounts.available, currency };
    const amount = { amount: movablePartOf(provider, available, 'payout'), currency };
    const isDue = dealer && amount.amount > 0 && !isBelowMinimum(dealer, amount);
    return isDue ? [{ dealerId, amount }] : [];
  });
  for (let turn = 0; due.length > 0 && turn < mostTurns; turn += 1) due = await begin(scope, due, at, turn);
}

/** Begins what was not begun in this turn; answers what was called off, because others were faster to take the money. */
async function begin(
  scope: PayoutScope,
  due: readonly Due[],
  at: Date,
  turn: number,
): Promise<readonly Due[]> {
  const payouts = due.map((one) =>
    newPayout(scope, { ...one, _id: idOf(scope, one, at, turn), kind: 'scheduled' }),
  );
  const collection = scoped(PayoutModel, scope.installationId);
  const known = await collection.insertAbsent(payouts);
  for (const [index, payout] of payouts.entries())
    if (!known.has(index)) await workOnPayout(scope, { ...payout, installationId: scope.installationId });
  const earlier = payouts.filter((_, index) => known.has(index)).map(({ _id }) => _id);
  if (earlier.length === 0) return [];
  const lost = await collection.find(
    { _id: { $in: earlier }, state: 'canceled', isFunded: false },
    { sort: { _id: 1 } },
  );
  const ids = new Set(lost.map(({ _id }) => _id));
  return due.filter((one) => ids.has(idOf(scope, one, at, turn)));
}

/** The same one all day, however often it is looked for; another one in each turn. */
function idOf({ installationId }: PayoutScope, { dealerId, amount }: Due, at: Date, turn: number): string {
  const day = at.toISOString().slice(0, 10);
  return repeatableId(
    'payout',
    installationId,
    dealerId,
    amount.currency,
    turn === 0 ? day : `${day} ${turn}`,
  );
}
