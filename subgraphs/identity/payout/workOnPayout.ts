import type { Platform } from '../../platform/context/Platform.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import type { Installation } from '../../platform/installation/Installation.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel } from '../dealer/model.ts';
import type { ProviderPayout } from '../payment-provider/PaymentProvider.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { findPayoutAccount } from '../payout-account/model.ts';
import { PayoutModel, type PayoutRecord } from './model.ts';
import { newsOf } from './newsOf.ts';
import { fundPayout, postPaid, postReturned } from './postPayout.ts';

/** In whose books a payout is worked on. */
export interface PayoutScope {
  readonly installationId: string;
  readonly installation: Installation;
  readonly platform: Platform;
}

/** How long one that failed waits for other bank details. */
const failedForMs = 7 * 24 * 3600 * 1000;
/** How often the provider is asked where the money is; its webhook is faster. */
const askMs = 10 * 60_000;
/** An order that may have been carried out is repeated soon, under the same key. */
const repeatMs = 30_000;

/** The next step of one payout. Each is conditional on what is stored, so that it can be cut short and repeated. */
export async function workOnPayout(scope: PayoutScope, payout: PayoutRecord): Promise<void> {
  if (!payout.isFunded) return void (await fundPayout(scope, payout).catch(refused));
  if (payout.state === 'pending') return send(scope, payout);
  if (payout.state === 'in_transit') return follow(scope, payout);
  if (payout.state === 'failed') return cancelPayout(scope, payout);
  if (payout.state === 'canceled') {
    await postReturned(scope, payout);
    await change(scope, payout, { dueAt: null });
  }
}

/** Nobody waits for one that the balance did not cover. */
function refused(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'insufficient_balance')) throw error;
}

/** Calls one off that has not gone, or has come back: first it is off, then the money is available again. */
export async function cancelPayout(scope: PayoutScope, payout: PayoutRecord): Promise<void> {
  const dueAt = new Date(scope.platform.now());
  const canceled = await change(scope, payout, { state: 'canceled', hold: null, dueAt });
  if (!canceled) return;
  await postReturned(scope, canceled);
  await change(scope, canceled, { dueAt: null });
}

/** Before the provider is asked the payout says so: from then on nobody can hold it. */
async function send(scope: PayoutScope, payout: PayoutRecord): Promise<void> {
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

/** Orders what was not ordered yet, as far as anybody knows, and asks for the rest. */
async function follow(scope: PayoutScope, payout: PayoutRecord): Promise<void> {
  const { _id: payoutId, attempt, amount, ref, dealerId } = payout;
  const provider = providerOf(scope.platform, scope.installation, payout.provider);
  const account = await findPayoutAccount(scope.installationId, dealerId, payout.provider);
  if (!account) throw new Error(`The payout ${payoutId} is on its way to no account.`);
  try {
    const seen =
      ref === null
        ? await provider.createPayout({ payoutId, attempt, accountRef: account.ref, amount })
        : await provider.readPayout(ref, account.ref);
    await learn(scope, payout, seen);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.kind === 'refused' && ref === null) await fail(scope, payout, error.code);
    else await change(scope, payout, { dueAt: new Date(scope.platform.now() + repeatMs) });
  }
}

async function learn(scope: PayoutScope, payout: PayoutRecord, seen: ProviderPayout): Promise<void> {
  const { ref, arrivalDate } = seen;
  const now = scope.platform.now();
  // What arrives in a moment is asked for then.
  const waitMs = arrivalDate && arrivalDate.getTime() > now ? arrivalDate.getTime() - now : askMs;
  const dueAt = new Date(now + Math.min(waitMs, askMs));
  if (seen.state === 'in_transit') return void (await change(scope, payout, { ref, arrivalDate, dueAt }));
  if (seen.state === 'failed') return fail(scope, payout, seen.failureCode ?? 'failed', ref);
  await postPaid(scope, payout);
  await change(scope, payout, { state: 'paid', ref, arrivalDate, failureCode: null, dueAt: null });
}

/** The money stays set aside while other bank details may come. */
async function fail(
  scope: PayoutScope,
  payout: PayoutRecord,
  failureCode: string,
  ref = payout.ref,
): Promise<void> {
  const dueAt = new Date(scope.platform.now() + failedForMs);
  await change(scope, payout, { state: 'failed', failureCode, ref, dueAt });
}

/** Null when somebody else has moved it meanwhile. */
async function change(
  { installationId, platform }: PayoutScope,
  payout: PayoutRecord,
  changes: Partial<PayoutRecord>,
): Promise<PayoutRecord | null> {
  const { _id, state, attempt, version } = payout;
  return scoped(PayoutModel, installationId).findOneAndUpdate(
    { _id, state, attempt, version },
    {
      $set: { ...changes, updatedAt: new Date(platform.now()) },
      $inc: { version: 1 },
      ...newsOf({ platform }, payout, changes),
    },
  );
}
