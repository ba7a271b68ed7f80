import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job } from '../../../platform/jobs/Job.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { PaymentModel } from '../payment/record/model.ts';
import type { PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import type { ProviderChargeback } from '../payment-provider/ProviderChargebacks.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { refundDisputed } from '../refund/refundSteps.ts';
import { chargebacksJob } from './chargebackSteps.ts';
import { ChargebackModel, chargebackId } from './model.ts';

/** Age of the oldest chargeback that is searched for. */
const searchedMs = 30 * dayMs;

/**
 * Finds chargebacks that no event has reported: four times a day, those of the last 30 days are listed at the provider.
 */
export const chargebackSearch: Job = {
  name: 'identity.chargeback-search',
  everyMs: dayMs / 4,
  signals: [refundDisputed],
  async run({ platform, signal, assertHeld }) {
    if (!platform.payments.stripe) return;
    for (const installation of platform.installations.all) {
      if (signal.aborted) return;
      await assertHeld();
      const scope = { installationId: installation.id, installation, platform };
      await search(scope, providerOf(platform, installation, 'stripe'));
    }
  },
};

async function search(scope: MoneyContext, provider: PaymentProvider): Promise<void> {
  const since = new Date(scope.platform.now() - searchedMs);
  try {
    await store(scope, provider, (await provider.chargebacks?.list(since)) ?? []);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    scope.platform.log.warn({ err: error }, 'chargebacks not searched');
  }
}

/**
 * Handles the provider's event about a chargeback, which may be new: the job reads it from the provider. A concurrent
 * step is restarted.
 *
 * @param ref id at the provider
 */
export async function refreshChargeback(
  scope: MoneyContext,
  provider: PaymentProvider,
  ref: string,
): Promise<void> {
  const { installationId, platform } = scope;
  const known = await scoped(ChargebackModel, installationId).findOneAndUpdate(
    { _id: chargebackId(installationId, provider.name, ref) },
    { $set: { dueAt: new Date(platform.now()) }, $inc: { version: 1 } },
  );
  if (known) platform.signals.send(chargebacksJob.name);
  else if (provider.chargebacks) await store(scope, provider, [await provider.chargebacks.read(ref)]);
}

/** Stores new chargebacks of payments of this installation. The job books their movements. */
async function store(
  { installationId, platform }: MoneyContext,
  { name: provider }: PaymentProvider,
  seen: readonly ProviderChargeback[],
): Promise<void> {
  const refs = seen.flatMap(({ paymentRef }) => paymentRef ?? []);
  if (refs.length === 0) return;
  const payments = await scoped(PaymentModel, installationId).find(
    { providerRef: { $in: refs, $type: 'string' }, provider },
    { projection: { providerRef: 1, payee: 1, currency: 1 } },
  );
  const byRef = new Map(payments.map((payment) => [payment.providerRef, payment]));
  const at = new Date(platform.now());
  const found = seen.flatMap(({ ref, paymentRef, amount, currency, reason, state, respondBy }) => {
    const payment = byRef.get(paymentRef);
    if (!payment) return [];
    if (payment.currency !== currency) {
      const about = { paymentId: payment._id, chargebackRef: ref, currency };
      platform.log.error(about, 'chargeback in another currency than its payment not booked');
      return [];
    }
    const _id = chargebackId(installationId, provider, ref);
    const dealerId = payment.payee.type === 'dealer' ? payment.payee.id : null;
    const facts = { ref, amount, currency, reason, state, respondBy };
    const open = { movements: [], closedAt: null, dueAt: at, version: 1, createdAt: at, updatedAt: at };
    return [{ _id, paymentId: payment._id, dealerId, provider, ...facts, ...open }];
  });
  if (found.length === 0) return;
  await scoped(ChargebackModel, installationId).insertAbsent(found);
  platform.signals.send(chargebacksJob.name);
}
