import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import type { MoneyContext } from '../money/MoneyContext.ts';
import type { ProviderPayout } from '../payment-provider/PaymentProvider.ts';
import { ProviderFailure, waitAfter } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { findPayoutAccount } from '../payout-account/model.ts';
import { changePayout as change } from './changePayout.ts';
import type { PayoutRecord } from './model.ts';
import type { PayoutMove } from './payoutTransaction.ts';
import { sendTransfer, takeBackTransfer } from './payoutTransfer.ts';

/** How long one that failed waits for other bank details. */
const failedForMs = 7 * 24 * 3600 * 1000;
/** How often the provider is asked where the money is; its webhook is faster. */
const askMs = 10 * 60_000;
/** How long a bank may send back what has arrived, and how often that is asked for. */
const returnableMs = 7 * 24 * 3600 * 1000;
const askPaidMs = 24 * 3600 * 1000;

/** The next step of one payout. Each is conditional on what is stored, so that it can be cut short and repeated. */
export async function workOnPayout(scope: MoneyContext, payout: PayoutRecord): Promise<void> {
  if (payout.state === 'pending') return send(scope, payout);
  if (payout.state === 'in_transit') return follow(scope, payout);
  if (payout.state === 'paid') return followPaid(scope, payout);
  if (payout.state === 'failed') return cancelPayout(scope, payout);
  if (payout.state === 'canceled') return finishCancel(scope, payout);
}

/** Calls one off that has not gone, or has come back: first it is off, then the money is available again. */
export async function cancelPayout(scope: MoneyContext, payout: PayoutRecord): Promise<void> {
  const dueAt = new Date(scope.platform.now());
  const canceled = await change(scope, payout, { state: 'canceled', hold: null, dueAt });
  if (canceled) await finishCancel(scope, canceled);
}

async function finishCancel(scope: MoneyContext, payout: PayoutRecord): Promise<void> {
  const back = await takeBackTransfer(scope, payout);
  if (!back) return;
  await change(scope, back, { dueAt: null }, { moves: ['payout_failure'] });
}

/** Before the provider is asked the payout says so: from then on nobody can hold it. */
async function send(scope: MoneyContext, payout: PayoutRecord): Promise<void> {
  const dealer = await scoped(DealerModel, scope.installationId).findOne({ _id: payout.dealerId });
  const now = scope.platform.now();
  if (dealer?.state === 'suspended') {
    const by = { type: 'system', id: 'identity.payouts' } as const;
    const hold = { reason: 'dealer_suspended', by, at: new Date(now) };
    await change(scope, payout, { state: 'on_hold', hold, dueAt: null });
    return;
  }
  if (dealer?.payout.accountState === 'rejected') return cancelPayout(scope, payout);
  const account = await findPayoutAccount(scope.installationId, payout.dealerId, payout.provider);
  if (!account || dealer?.payout.accountState !== 'active')
    return void (await change(scope, payout, { dueAt: new Date(now + askMs) }));
  const sent = await change(scope, payout, { state: 'in_transit', dueAt: new Date(now), ref: null });
  if (sent) await follow(scope, sent);
}

/** Orders what was not ordered yet, and asks for the rest. */
async function follow(scope: MoneyContext, payout: PayoutRecord): Promise<void> {
  const accountRef = await accountOf(scope, payout);
  let current = payout;
  try {
    const sent = await sendTransfer(scope, payout, accountRef);
    if (!sent) return;
    current = sent;
    await learn(scope, current, await askFor(scope, current, accountRef));
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const { log, now } = scope.platform;
    // No bank has refused anything: the installation's operator has to see to the account at the provider.
    if (error.kind === 'later') log.error({ err: error, payoutId: payout._id }, 'payout waits for money');
    else log.warn({ err: error, payoutId: payout._id }, 'payout not sent');
    if (error.isFinal && current.ref === null) await fail(scope, current, { failure: error });
    else await change(scope, current, { dueAt: new Date(now() + waitAfter(error)) }, { failure: error });
  }
}

function askFor(scope: MoneyContext, payout: PayoutRecord, accountRef: string): Promise<ProviderPayout> {
  const { _id: payoutId, attempt, tries, amount, ref, createdAt } = payout;
  const provider = providerOf(scope.platform, scope.installation, payout.provider);
  if (ref !== null) return provider.readPayout(ref, accountRef);
  return provider.createPayout({ payoutId, attempt, tries, accountRef, amount, createdAt });
}

async function accountOf(
  { installationId }: MoneyContext,
  { _id, dealerId, provider }: PayoutRecord,
): Promise<string> {
  const account = await findPayoutAccount(installationId, dealerId, provider);
  if (!account) throw new Error(`The payout ${_id} is on its way to no account.`);
  return account.ref;
}

/** Asks whether a bank has sent back what had arrived; then it is open again. */
async function followPaid(scope: MoneyContext, payout: PayoutRecord): Promise<void> {
  const now = scope.platform.now();
  try {
    const { state, failureCode } = await askFor(scope, payout, await accountOf(scope, payout));
    if (state !== 'failed') return void (await change(scope, payout, { dueAt: nextLookAt(payout, now) }));
    await fail(scope, payout, { failureCode, moves: ['payout_return'] });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await change(scope, payout, { dueAt: new Date(now + askMs) });
  }
}

/** Null once no bank sends it back any more. */
function nextLookAt({ arrivalDate, createdAt }: PayoutRecord, now: number): Date | null {
  const endsAt = (arrivalDate ?? createdAt).getTime() + returnableMs;
  return now < endsAt ? new Date(now + askPaidMs) : null;
}

async function learn(scope: MoneyContext, payout: PayoutRecord, seen: ProviderPayout): Promise<void> {
  const { ref, arrivalDate } = seen;
  const now = scope.platform.now();
  // What arrives in a moment is asked for then.
  const waitMs = arrivalDate && arrivalDate.getTime() > now ? arrivalDate.getTime() - now : askMs;
  const dueAt = new Date(now + Math.min(waitMs, askMs));
  if (seen.state === 'in_transit') return void (await change(scope, payout, { ref, arrivalDate, dueAt }));
  if (seen.state === 'failed') return fail(scope, payout, { failureCode: seen.failureCode, ref });
  const lookAt = nextLookAt({ ...payout, arrivalDate }, now);
  const paid = { state: 'paid', ref, arrivalDate, failureCode: null, dueAt: lookAt } as const;
  await change(scope, payout, paid, { moves: ['payout_paid'] });
}

/** The money stays set aside while other bank details may come. */
async function fail(
  scope: MoneyContext,
  payout: PayoutRecord,
  why: {
    failure?: ProviderFailure;
    failureCode?: string | null;
    ref?: string;
    moves?: readonly PayoutMove[];
  },
): Promise<void> {
  const { failure, failureCode = failure?.code, ref = payout.ref, moves } = why;
  const dueAt = new Date(scope.platform.now() + failedForMs);
  const failed = { state: 'failed', failureCode: failureCode ?? 'failed', ref, dueAt } as const;
  await change(scope, payout, failed, { ...(failure && { failure }), ...(moves && { moves }) });
}
