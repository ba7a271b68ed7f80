import type { Platform } from '../../platform/context/Platform.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DisputeModel } from '../dispute/model.ts';
import { PaymentModel } from '../payment/model.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { PaymentCustomerModel, PaymentMethodModel } from './model.ts';

/** Stands where somebody’s words were. */
const erased = '…';

/** Whose methods and notes go. */
interface Payer {
  platform: Platform;
  installationId: string;
  userId: string;
}

/**
 * Of what somebody paid the amounts stay, as the law wants, under an id that names nobody any more. What he kept goes, at
 * the provider first: what is forgotten here could not be found there again.
 */
export async function forgetPayer({ platform, installationId, userId }: Payer): Promise<void> {
  const installation = platform.installations.findById(installationId);
  if (!installation) return;
  const methods = scoped(PaymentMethodModel, installationId);
  for (const { _id, methodRef, provider } of await methods.find({ userId }, { sort: { _id: 1 } })) {
    if (methodRef !== null)
      await unlessMissing(providerOf(platform, installation, provider).deleteMethod(methodRef));
    await methods.deleteMany({ _id });
  }
  const customers = scoped(PaymentCustomerModel, installationId);
  for (const { _id, ref, provider } of await customers.find({ userId }, { sort: { _id: 1 } })) {
    await unlessMissing(providerOf(platform, installation, provider).deleteCustomer(ref));
    await customers.deleteMany({ _id });
  }
  await forgetWords(installationId, userId);
  await scoped(PaymentModel, installationId).updateMany(
    { 'payer.userId': userId },
    { $set: { metadata: {}, paymentMethodId: null, clientSecret: null, nextAction: null } },
  );
}

/** What he complained of goes; that he did, about how much, and how it was decided stays with the payment. */
async function forgetWords(installationId: string, userId: string): Promise<void> {
  const disputed = await scoped(PaymentModel, installationId).find(
    { 'payer.userId': userId, disputeId: { $type: 'string' } },
    { projection: { disputeId: 1 }, sort: { createdAt: -1, _id: -1 } },
  );
  const disputes = scoped(DisputeModel, installationId);
  for (const { disputeId } of disputed) {
    const found = await disputes.findOne({ _id: String(disputeId) });
    if (!found) continue;
    const evidence = found.evidence.map((one) =>
      one.by === 'payer' ? { ...one, text: erased, mediaIds: [] } : one,
    );
    const saved = await disputes.findOneAndUpdate(
      { _id: found._id, payerId: userId, version: found.version },
      { $set: { text: erased, evidence }, $inc: { version: 1 } },
    );
    if (!saved) throw new Error(`The dispute ${found._id} is changing: its payer is forgotten later.`);
  }
}

async function unlessMissing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ProviderFailure) || error.kind !== 'missing') throw error;
  }
}
