import type { CreatePayoutOnboardingLinkInput } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { once } from '../../platform/idempotency/once.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { dealerNotActive } from '../dealer/assertMayChange.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import type { OnboardingLink, PaymentProvider } from '../payment-provider/PaymentProvider.ts';
import { ProviderFailure, providerError } from '../payment-provider/ProviderFailure.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { findPayoutAccount, PayoutAccountModel, payoutAccountId } from './model.ts';
import { applyAccount } from './refreshPayoutAccount.ts';

export function createPayoutOnboardingLink(
  input: CreatePayoutOnboardingLinkInput,
  context: RequestContext,
): Promise<OnboardingLink> {
  return once(context, 'createPayoutOnboardingLink', input, async () => {
    const dealer = await scoped(DealerModel, context.installationId).findOne({ _id: input.dealerId });
    if (!dealer) throw notFound('The dealer');
    if (dealer.state !== 'active') throw dealerNotActive();
    const { installation, platform } = context;
    const place = (installation.settings.accountUrl ?? `${installation.baseUrl}/account`).replace(/\/$/, '');
    const returnUrl = `${place}/payouts?dealer=${dealer._id}`;
    try {
      const provider = providerOf(platform, installation);
      const accountRef = await openAccount(dealer, provider, context);
      return await provider.createOnboardingLink(accountRef, { returnUrl, refreshUrl: returnUrl });
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      platform.log.warn({ err: error, dealerId: dealer._id }, 'no onboarding link');
      throw providerError();
    }
  });
}

/** Of two first links at once the provider knows that both mean one account. */
async function openAccount(
  { _id: dealerId, legalName, contactEmail, country, currency }: DealerRecord,
  provider: PaymentProvider,
  context: RequestContext,
): Promise<string> {
  const { installationId, platform } = context;
  const known = await findPayoutAccount(installationId, dealerId, provider.name);
  if (known) return known.ref;
  const account = await provider.createAccount({ dealerId, legalName, contactEmail, country, currency });
  await scoped(PayoutAccountModel, installationId).insertAbsent([
    {
      _id: payoutAccountId(dealerId, provider.name),
      dealerId,
      provider: provider.name,
      ref: account.ref,
      createdAt: new Date(platform.now()),
    },
  ]);
  await applyAccount(context, dealerId, account);
  return account.ref;
}
