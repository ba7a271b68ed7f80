import type { CreatePaymentMethodSetupInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { ProviderFailure, providerError } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { UserModel } from '../user/model.ts';
import { PaymentCustomerModel, PaymentMethodModel, type PaymentMethodRecord } from './model.ts';
import { settleMethod } from './settleMethod.ts';

const mostMethods = 10;
const forgottenMs = 24 * 3600 * 1000;

/** The provider knows the setup by the id of the method: a repetition meets the first one. */
export function createPaymentMethodSetup(
  input: CreatePaymentMethodSetupInput,
  context: RequestContext,
): Promise<{ setup: { paymentMethod: PaymentMethodRecord } }> {
  return once(context, 'createPaymentMethodSetup', input, async (attempt) => {
    await assertRoom(context);
    const _id = attempt.newId('paymentMethod');
    try {
      return { setup: { paymentMethod: await setUp(_id, context) } };
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      context.platform.log.warn({ err: error, paymentMethodId: _id }, 'payment provider refused a setup');
      throw providerError();
    }
  });
}

/** What nobody finished makes room. Several at once may pass by each other: the limit is no matter of money. */
async function assertRoom({ installationId, viewer, platform }: RequestContext): Promise<void> {
  const methods = scoped(PaymentMethodModel, installationId);
  const since = new Date(platform.now() - forgottenMs);
  await methods.deleteMany({ userId: viewer.id, state: 'pending', createdAt: { $lt: since } });
  if ((await methods.count({ userId: viewer.id }, { limit: mostMethods })) < mostMethods) return;
  throw new AppError('method_limit', `An account keeps at most ${mostMethods} payment methods.`);
}

async function setUp(_id: string, context: RequestContext): Promise<PaymentMethodRecord> {
  const { platform, installation, installationId, viewer } = context;
  const provider = providerOf(platform, installation);
  const customerRef = await findCustomer(context);
  const returnUrl = `${installation.settings.accountUrl ?? installation.baseUrl}/payment-methods`;
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
  await scoped(PaymentMethodModel, installationId)
    .insert(pending)
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  const method = await settleMethod(context, _id, provided);
  if (!method) throw new ProviderFailure('refused', 'setup_canceled', 'The setup was canceled at once.');
  return method;
}

/** The caller as the provider knows him; made known on first use. */
async function findCustomer({
  platform,
  installation,
  installationId,
  viewer,
}: RequestContext): Promise<string> {
  const provider = providerOf(platform, installation);
  const customers = scoped(PaymentCustomerModel, installationId);
  const _id = `${installationId}:${viewer.id}:${provider.name}`;
  const known = await customers.findOne({ _id });
  if (known) return known.ref;
  const user = await scoped(UserModel, installationId).findOne(
    { _id: viewer.id },
    { projection: { email: 1 } },
  );
  const { ref } = await provider.createCustomer({ userId: viewer.id, email: user?.email ?? '' });
  const customer = { _id, userId: viewer.id, provider: provider.name, ref };
  await customers.insertAbsent([customer]);
  return ref;
}
