import { scoped } from '../../../platform/installation/scoped.ts';
import type {
  MutationResolvers,
  PaymentMethodSetupResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { openAction } from '../payment-provider/payerSecret.ts';
import { createPaymentMethodSetup } from './createPaymentMethodSetup.ts';
import { deletePaymentMethod } from './deletePaymentMethod.ts';
import { PaymentCustomerModel, PaymentMethodModel, type PaymentMethodRecord } from './model.ts';
import { personalData } from './personalData.ts';
import { methodPolicy } from './policy.ts';
import { refreshIfDue } from './refreshPaymentMethod.ts';

const mostShown = 50;

const Query: QueryResolvers = {
  myPaymentMethods: async (_, __, context) => {
    const methods = await scoped(PaymentMethodModel, context.installationId).find(
      { userId: context.viewer.id },
      { sort: { createdAt: -1, _id: -1 }, limit: mostShown },
    );
    const refreshed = await Promise.all(methods.map((method) => refreshIfDue(context, method)));
    return refreshed.filter((method) => method !== null);
  },
};

const Mutation: MutationResolvers = {
  createPaymentMethodSetup: (_, { input }, context) => createPaymentMethodSetup(input, context),
  deletePaymentMethod: (_, { input }, context) => deletePaymentMethod(input, context),
};

/** Parent of the resolvers of `PaymentMethodSetup`. */
export interface PaymentMethodSetupParent {
  paymentMethod: PaymentMethodRecord;
}

const PaymentMethodSetup: PaymentMethodSetupResolvers = {
  clientSecret: ({ paymentMethod: { _id, clientSecret } }, _, { platform }) =>
    openAction(platform.secrets, _id, clientSecret).clientSecret,
  nextAction: ({ paymentMethod: { _id, clientSecret, nextAction } }, _, { platform }) =>
    nextAction && { ...nextAction, url: openAction(platform.secrets, _id, clientSecret).url, paymentId: _id },
};

export const paymentMethod: IdentityResource = {
  resolvers: { Query, Mutation, PaymentMethodSetup },
  policies: { PaymentMethod: methodPolicy },
  records: { PaymentMethod: { idType: 'paymentMethod', read: methodPolicy.load } },
  models: [PaymentMethodModel, PaymentCustomerModel],
  person: personalData,
};
