import type { Platform } from '../../../platform/context/Platform.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { readPages } from '../../../platform/pagination/readPages.ts';
import { findDisputesOf } from '../dispute/record/findDisputesOf.ts';
import { DisputeModel } from '../dispute/record/model.ts';
import { openStates } from '../dispute/record/states.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { RefundModel } from '../refund/record/model.ts';
import { PaymentCustomerModel, PaymentMethodModel } from './model.ts';
import { removeAtProvider, unlessMissing } from './removeAtProvider.ts';

/** Number of payments whose refunds are changed together. */
const pageSize = 100;
/** Replacement for a user's texts. */
const erased = '…';

/** User whose payment methods and notes are deleted. */
interface Payer {
  platform: Platform;
  installationId: string;
  userId: string;
}

/**
 * Anonymizes the payments of an erased user. They keep their amounts, as the law requires. Saved methods are deleted at
 * the provider first, because it could not find them after their deletion here.
 */
export async function forgetPayer({ platform, installationId, userId }: Payer): Promise<void> {
  const installation = platform.installations.findById(installationId);
  if (!installation) return;
  const methods = scoped(PaymentMethodModel, installationId);
  for (const method of await methods.find({ userId }, { sort: { _id: 1 } })) {
    await removeAtProvider({ platform, installation, installationId }, method);
    await methods.deleteMany({ _id: method._id });
  }
  const customers = scoped(PaymentCustomerModel, installationId);
  for (const { _id, ref, email, provider: name } of await customers.find({ userId }, { sort: { _id: 1 } })) {
    const provider = providerOf(platform, installation, name);
    // A request whose response was lost may have created one.
    const known = ref ?? (await provider.findCustomer({ userId, email }))?.ref;
    if (known !== undefined) await unlessMissing(() => provider.deleteCustomer(known));
    await customers.deleteMany({ _id });
  }
  await forgetWords(installationId, userId);
  const updatedAt = new Date(platform.now());
  await forgetNotes(installationId, userId, updatedAt);
  const nothing = { paymentMethodId: null, clientSecret: null, nextAction: null };
  await scoped(PaymentModel, installationId).updateMany(
    { 'payer.userId': userId, $nor: [{ ...nothing, metadata: {} }] },
    { $set: { ...nothing, metadata: {}, updatedAt }, $inc: { version: 1 } },
  );
}

/**
 * Deletes the payer's texts in disputes. The dispute, its amount and its outcome stay with the payment. An open dispute
 * keeps its texts; the erasure is repeated until the dispute is decided.
 */
async function forgetWords(installationId: string, userId: string): Promise<void> {
  for (const found of await findDisputesOf(installationId, userId)) {
    if (openStates.includes(found.state)) continue;
    const evidence = found.evidence.map((one) =>
      one.by === 'payer' ? { ...one, text: erased, mediaIds: [] } : one,
    );
    const saved = await scoped(DisputeModel, installationId).findOneAndUpdate(
      { _id: found._id, payerId: userId, version: found.version },
      { $set: { text: erased, evidence }, $inc: { version: 1 } },
    );
    if (!saved) throw new Error(`The dispute ${found._id} is changing: its payer is forgotten later.`);
  }
}

/** Deletes the notes of the dealer's staff on refunds to the payer, which may describe the payer. */
async function forgetNotes(installationId: string, userId: string, updatedAt: Date): Promise<void> {
  const payments = scoped(PaymentModel, installationId);
  for await (const page of readPages(payments, { 'payer.userId': userId }, 'createdAt', pageSize)) {
    const paymentId = { $in: page.map(({ _id }) => _id) };
    await scoped(RefundModel, installationId).updateMany(
      { paymentId, note: { $ne: null } },
      { $set: { note: null, updatedAt }, $inc: { version: 1 } },
    );
  }
}
