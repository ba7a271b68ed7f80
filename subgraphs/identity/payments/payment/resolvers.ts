import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import type {
  MutationResolvers,
  PaymentActionResolvers,
  PaymentPayeeResolvers,
  PaymentResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { ProviderObjectModel } from '../payment-provider/kept/model.ts';
import type { ProviderAction } from '../payment-provider/PaymentProvider.ts';
import { openAction } from '../payment-provider/payerSecret.ts';
import { bookPayment } from './bookPayment.ts';
import { cancelPayment } from './cancelPayment.ts';
import { capturePayment } from './capturePayment.ts';
import { createPayment } from './createPayment.ts';
import { expiryNotices } from './expiryNotices.ts';
import { paymentChecks, paymentEnds } from './paymentJobs.ts';
import { adminPayments, payments } from './payments.ts';
import { personalData } from './personalData.ts';
import { isAbandoned, resumePayment } from './progress/resumePayment.ts';
import { PaymentModel, type PaymentRecord, ReceiptCounterModel } from './record/model.ts';
import {
  isPayee,
  isPayer,
  paymentLoader,
  paymentPolicy,
  receivedPaymentPolicy,
  sentPaymentPolicy,
} from './record/policy.ts';
import { waitingStates } from './record/states.ts';
import { returnTransfer } from './returnTransfer.ts';

const Query: QueryResolvers = {
  payments: (_, args, context) => payments(args, context),
  adminPayments: (_, args, context) => adminPayments(args, context),
  payment: async (_, { paymentId }, context) => {
    const payment = await context.loader(paymentLoader).load(paymentId);
    if (!payment) throw notFound('The payment');
    // A reader of an abandoned payment, or one with a lost event, need not wait for the job.
    const isDue = isAbandoned(payment, context.platform.now());
    return (isDue ? await resumePayment(context, payment) : null) ?? payment;
  },
};

const Mutation: MutationResolvers = {
  createPayment: (_, { input }, context) => createPayment(input, context),
  capturePayment: (_, { input }, context) => capturePayment(input, context),
  cancelPayment: (_, { input }, context) => cancelPayment(input, context),
  bookPayment: (_, { input }, context) => bookPayment(input, context),
  returnTransfer: (_, { input }, context) => returnTransfer(input, context),
};

/** Parent of the resolvers of `PaymentAction`. */
export interface PaymentActionParent extends ProviderAction {
  paymentId: string;
}

/** Parent of the resolvers of `PaymentPayee`. */
export type PaymentPayeeParent = PaymentRecord['payee'];

const Payment: PaymentResolvers = {
  promotion: ({ promotion }) => promotion && { days: promotion.days, kind: promotion.kind },
  amount: (payment) => money(payment, payment.amount),
  amountCapturable: (payment) => money(payment, payment.amountCapturable),
  amountCaptured: (payment) => money(payment, payment.amountCaptured),
  amountRefunded: (payment) => money(payment, payment.amountRefunded),
  amountChargedBack: (payment) => money(payment, payment.amountChargedBack ?? 0),
  amountToReturn: (payment) => money(payment, payment.amountToReturn ?? 0),
  fee: (payment, _, { viewer }) => {
    const { fee } = payment;
    if (!fee || !(isPayee(viewer, payment) || viewer.breadthOf('payments:read') === 'any')) return null;
    const { fixed, amount, taxAmount, ...rates } = fee;
    return {
      ...rates,
      fixed: money(payment, fixed),
      amount: money(payment, amount),
      taxAmount: money(payment, taxAmount),
    };
  },
  pending: ({ operation }) => operation !== null,
  clientSecret: (payment, _, context) =>
    isAsked(payment, context) ? secretOf(payment, context).clientSecret : null,
  nextAction: (payment, _, context) => {
    const { nextAction, _id } = payment;
    if (!nextAction || !isAsked(payment, context)) return null;
    return { ...nextAction, url: secretOf(payment, context).url, paymentId: _id };
  },
  paymentMethodId: (payment, _, { viewer }) => (isPayer(viewer, payment) ? payment.paymentMethodId : null),
  metadata: (payment, _, { viewer }) =>
    isPayer(viewer, payment) ? Object.entries(payment.metadata).map(([key, value]) => ({ key, value })) : [],
};

const PaymentPayee: PaymentPayeeResolvers = {
  payeeId: ({ id }) => id,
};

const PaymentAction: PaymentActionResolvers = {
  bankAccount: ({ type, paymentId }, _, { installation }) => {
    const { bankAccount } = installation.settings.payments;
    return type === 'bank_transfer' && bankAccount ? { ...bankAccount, reference: paymentId } : null;
  },
};

function money({ currency }: PaymentRecord, amount: number) {
  return { amount, currency };
}

/** Returns whether the caller must act. */
function isAsked(payment: PaymentRecord, { viewer }: RequestContext): boolean {
  return isPayer(viewer, payment) && waitingStates.has(payment.state);
}

function secretOf({ _id, clientSecret }: PaymentRecord, { platform }: RequestContext) {
  return openAction(platform.secrets, _id, clientSecret);
}

export const payment: IdentityResource = {
  resolvers: { Query, Mutation, Payment, PaymentAction, PaymentPayee },
  records: { Payment: { idType: 'payment', read: paymentPolicy.load } },
  policies: {
    Payment: paymentPolicy,
    ReceivedPayment: receivedPaymentPolicy,
    SentPayment: sentPaymentPolicy,
  },
  models: [PaymentModel, ReceiptCounterModel, ProviderObjectModel],
  person: personalData,
  jobs: [paymentChecks, paymentEnds, expiryNotices],
};
