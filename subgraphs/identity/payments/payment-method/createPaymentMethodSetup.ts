import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { accountPlaceOf } from '../../../platform/installation/accountPlaceOf.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { dayMs } from '../../../platform/time/durations.ts';
import type { CreatePaymentMethodSetupInput } from '../../identity.generated.ts';
import { UserModel } from '../../people/user/model.ts';
import { ProviderFailure, providerError, refusedByProvider } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { applyProviderMethod } from './applyProviderMethod.ts';
import { PaymentCustomerModel, PaymentMethodModel, type PaymentMethodRecord } from './model.ts';
import { refreshIfDue } from './refreshPaymentMethod.ts';
import { cancelAtProvider } from './removeAtProvider.ts';

const mostMethods = 10;
const forgottenMs = dayMs;

/** Creates a setup. The provider identifies it by the id of the method, so a retry returns the first setup. */
export async function createPaymentMethodSetup(
  input: CreatePaymentMethodSetupInput,
  context: RequestContext,
): Promise<{ setup: { paymentMethod: PaymentMethodRecord } }> {
  const _id = context.attempt.newId('paymentMethod');
  await assertRoom(context, _id);
  try {
    return { setup: { paymentMethod: await setUp(_id, context) } };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    context.platform.log.warn({ err: error, paymentMethodId: _id }, 'payment provider refused a setup');
    // The provider repeats a kept error for the id of the method, which follows from the client's key.
    throw error.isKept ? refusedByProvider() : providerError();
  }
}

/**
 * Removes setups that were not completed within a day, and checks the limit. Concurrent calls may exceed the limit,
 * which does not affect money.
 *
 * @param wantedId id of the new method, which an earlier run under the same key may have stored
 */
async function assertRoom(context: RequestContext, wantedId: string): Promise<void> {
  const { installationId, viewer, platform } = context;
  const methods = scoped(PaymentMethodModel, installationId);
  const since = new Date(platform.now() - forgottenMs);
  const forgotten = { userId: viewer.id, state: 'pending' as const, createdAt: { $lt: since } };
  for (const method of await methods.find(forgotten, { sort: { _id: 1 } })) await discard(context, method);
  const others = { userId: viewer.id, _id: { $ne: wantedId } };
  if ((await methods.count(others, { limit: mostMethods })) < mostMethods) return;
  throw new AppError(
    'method_limit',
    `An account can store at most ${mostMethods} payment methods. Delete one first.`,
  );
}

/** Deletes a setup that was not completed. It stays if it is complete at the provider, or if that does not cancel it. */
async function discard(context: RequestContext, method: PaymentMethodRecord): Promise<void> {
  const { installationId, platform } = context;
  // The event that reported its completion may be lost.
  const current = await refreshIfDue(context, method);
  if (current?.state !== 'pending') return;
  try {
    if (current.provider === platform.payments.provider) await cancelAtProvider(context, current);
    const pending = { _id: current._id, state: 'pending' as const };
    await scoped(PaymentMethodModel, installationId).deleteMany(pending);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    platform.log.warn({ err: error, paymentMethodId: current._id }, 'setup of a payment method not canceled');
  }
}

async function setUp(_id: string, context: RequestContext): Promise<PaymentMethodRecord> {
  const { platform, installation, installationId, viewer } = context;
  const provider = providerOf(platform, installation);
  const customerRef = await findCustomer(context);
  const returnUrl = `${accountPlaceOf(installation)}/payment-methods`;
  const provided = await provider.createMethod({ paymentMethodId: _id, customerRef, returnUrl });
  const now = new Date(platform.now());
  const pending: Omit<PaymentMethodRecord, 'installationId'> = {
    _id,
    userId: viewer.id,
    provider: provider.name,
    customerRef,
    setupRef: provided.setupRef,
    methodRef: null,
    state: 'pending',
    type: provided.type,
    brand: null,
    last4: null,
    expMonth: null,
    expYear: null,
    clientSecret: null,
    nextAction: null,
    createdAt: now,
    updatedAt: now,
  };
  await scoped(PaymentMethodModel, installationId).insertAbsent([pending]);
  const method = await applyProviderMethod(context, _id, provided);
  if (!method)
    throw new ProviderFailure(
      'refused',
      'setup_canceled',
      'The payment provider canceled the setup immediately.',
    );
  return method;
}

/**
 * Returns the caller's customer at the provider, created on first use. The data is stored before it is sent. A customer
 * whose response was lost can therefore be found at the provider, and is deleted with the caller's account.
 */
async function findCustomer(context: RequestContext): Promise<string> {
  const { platform, installation, installationId, viewer } = context;
  const provider = providerOf(platform, installation);
  const customers = scoped(PaymentCustomerModel, installationId);
  const _id = `${installationId}:${viewer.id}:${provider.name}`;
  const found = await customers.findOne({ _id });
  if (found && found.ref !== null) return found.ref;
  const first = found ?? {
    _id,
    userId: viewer.id,
    provider: provider.name,
    ref: null,
    email: await emailOf(context),
    tries: 0,
  };
  if (!found) await customers.insertAbsent([first]);
  const { userId, email, tries } = first;
  try {
    const made = found && (await provider.findCustomer({ userId, email }));
    const { ref } = made ?? (await provider.createCustomer({ userId, email, tries }));
    const known = await customers.findOneAndUpdate({ _id, ref: null }, { $set: { ref } });
    return (known ?? (await customers.findOne({ _id })))?.ref ?? ref;
  } catch (error) {
    if (error instanceof ProviderFailure && error.isKept)
      await customers.findOneAndUpdate({ _id, ref: null }, { $inc: { tries: 1 } });
    throw error;
  }
}

async function emailOf({ installationId, viewer }: RequestContext): Promise<string> {
  const only = { projection: { email: 1 } } as const;
  const user = await reads(UserModel, installationId).findOne({ _id: viewer.id }, only);
  return user?.email ?? '';
}
