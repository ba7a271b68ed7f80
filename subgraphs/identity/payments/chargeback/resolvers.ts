import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { ChargebackResolvers, PaymentResolvers } from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { chargebacksJob } from './chargebackSteps.ts';
import { chargebackSearch } from './findChargebacks.ts';
import { ChargebackModel, type ChargebackRecord } from './model.ts';
import { personalData } from './personalData.ts';

/** Returns a loader of chargebacks by payment, in ascending order of creation, batched per request. */
function chargebackLoader({ installationId }: RequestContext): DataLoader<string, ChargebackRecord[]> {
  return new DataLoader(async (paymentIds) => {
    const found = await scoped(ChargebackModel, installationId).find(
      { paymentId: { $in: [...paymentIds] } },
      { sort: { createdAt: 1, _id: 1 } },
    );
    const byPayment = Map.groupBy(found, ({ paymentId }) => paymentId);
    return paymentIds.map((id) => byPayment.get(id) ?? []);
  });
}

const Payment: Pick<PaymentResolvers, 'chargebacks'> = {
  chargebacks: ({ _id }, _, context) => context.loader(chargebackLoader).load(_id),
};

const Chargeback: ChargebackResolvers = {
  id: ({ _id }) => _id,
  amount: ({ amount, currency }) => ({ amount, currency }),
  amountTaken: ({ movements, currency }) => ({
    amount: movements.reduce((taken, { amount }) => taken - amount, 0),
    currency,
  }),
};

export const chargeback: IdentityResource = {
  resolvers: { Payment, Chargeback },
  models: [ChargebackModel],
  person: personalData,
  jobs: [chargebacksJob, chargebackSearch],
};
