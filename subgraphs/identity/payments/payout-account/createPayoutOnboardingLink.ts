import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { once } from '../../../platform/idempotency/once.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { CreatePayoutOnboardingLinkInput } from '../../identity.generated.ts';
import { dealerNotActive } from '../../kernel/dealer-standing/assertMayChange.ts';
import { DealerModel, type DealerRecord } from '../../people/dealer/model.ts';
import type {
  OnboardingLink,
  PaymentProvider,
  ProviderAccount,
} from '../payment-provider/PaymentProvider.ts';
import { ProviderFailure, providerError } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import {
  findPayoutAccount,
  PayoutAccountModel,
  PayoutAccountOrderModel,
  payoutAccountId,
} from './record/model.ts';
import { refreshPayoutAccount } from './refreshPayoutAccount.ts';

/**
 * Creates a link. A key covers the account only: a repetition gets a new link, because a link expires within minutes. It
 * admits its holder, so it is not stored.
 */
export async function createPayoutOnboardingLink(
  input: CreatePayoutOnboardingLinkInput,
  context: RequestContext,
): Promise<OnboardingLink> {
  const dealer = await reads(DealerModel, context.installationId).findOne({ _id: input.dealerId });
  if (!dealer) throw notFound('The dealer');
  if (dealer.state !== 'active') throw dealerNotActive();
  const { installation, installationId, platform } = context;
  const place = (installation.settings.accountUrl ?? `${installation.baseUrl}/account`).replace(/\/$/, '');
  const returnUrl = `${place}/payouts?dealer=${dealer._id}`;
  try {
    const provider = providerOf(platform, installation);
    const open = () => openAccount(dealer, provider, context);
    await once(context, 'createPayoutOnboardingLink', input, open);
    // A replayed account may be that of an earlier provider.
    const account = await findPayoutAccount(installationId, dealer._id, provider.name);
    const accountRef = account?.ref ?? (await open());
    return await provider.createOnboardingLink(accountRef, { returnUrl, refreshUrl: returnUrl });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    platform.log.warn({ err: error, dealerId: dealer._id }, 'no onboarding link');
    throw providerError();
  }
}

/**
 * Returns the dealer's account at the provider, opened on first use. A known account is read again, because the event
 * that reported its state may be lost.
 */
async function openAccount(
  dealer: DealerRecord,
  provider: PaymentProvider,
  context: RequestContext,
): Promise<string> {
  const { installationId, platform } = context;
  const { _id: dealerId } = dealer;
  const known = await findPayoutAccount(installationId, dealerId, provider.name);
  if (known) {
    await refreshPayoutAccount(context, provider.name, known.ref);
    return known.ref;
  }
  const account = await order(dealer, provider, context);
  const createdAt = new Date(platform.now());
  const _id = payoutAccountId(dealerId, provider.name);
  const opened = { _id, dealerId, provider: provider.name, ref: account.ref, createdAt };
  await scoped(PayoutAccountModel, installationId).insertAbsent([opened]);
  await refreshPayoutAccount(context, provider.name, account.ref);
  const stored = await findPayoutAccount(installationId, dealerId, provider.name);
  return stored?.ref ?? account.ref;
}

/**
 * Requests an account. The request is stored first. If its response is lost, the provider is searched, because it
 * discards keys.
 */
async function order(
  { _id: dealerId, legalName, contactEmail, country, currency }: DealerRecord,
  provider: PaymentProvider,
  { installationId, platform }: RequestContext,
): Promise<ProviderAccount> {
  const orders = scoped(PayoutAccountOrderModel, installationId);
  const _id = payoutAccountId(dealerId, provider.name);
  const first = { _id, tries: 0, createdAt: new Date(platform.now()) };
  const known = await orders.insertAbsent([first]);
  const { tries, createdAt: orderedAt } = (await orders.findOne({ _id })) ?? first;
  const facts = { dealerId, legalName, contactEmail, country, currency };
  try {
    return await provider.createAccount({ ...facts, tries, orderedAt, isRepeated: known.has(0) });
  } catch (error) {
    if (error instanceof ProviderFailure && error.isKept)
      await orders.findOneAndUpdate({ _id, tries }, { $inc: { tries: 1 } });
    throw error;
  }
}
