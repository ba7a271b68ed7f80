import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ProviderAction, ProviderName } from '../payment-provider/PaymentProvider.ts';

export interface PaymentMethodRecord {
  /** `pmt_…` */
  _id: string;
  installationId: string;
  userId: string;
  provider: ProviderName;
  /** The payer at the provider. */
  customerRef: string;
  /** Id of the setup; null until the provider's first response. */
  setupRef: string | null;
  /** Id of the method at the provider; null until it is active. */
  methodRef: string | null;
  state: 'pending' | 'active';
  /** Type, as in `card` or `sepa_debit`. */
  type: string;
  brand: string | null;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
  /** Sealed; while it is pending. */
  clientSecret: string | null;
  nextAction: ProviderAction | null;
  createdAt: Date;
  updatedAt: Date;
}

const text = { type: String, required: true } as const;
const nullable = { type: String, default: null } as const;

export const PaymentMethodModel = defineModel<PaymentMethodRecord>(
  'payment_methods',
  new Schema<PaymentMethodRecord>({
    _id: String,
    userId: text,
    provider: text,
    customerRef: text,
    setupRef: nullable,
    methodRef: nullable,
    state: text,
    type: text,
    brand: nullable,
    last4: nullable,
    expMonth: { type: Number, default: null },
    expYear: { type: Number, default: null },
    clientSecret: nullable,
    nextAction: {
      type: new Schema<ProviderAction>({ type: { type: String }, url: String }, { _id: false, id: false }),
      default: null,
    },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  }).index({ installationId: 1, userId: 1, createdAt: -1, _id: -1 }),
);

/** A payer at a provider. */
interface PaymentCustomerRecord {
  /** Id derived from user and provider. */
  _id: string;
  installationId: string;
  userId: string;
  provider: ProviderName;
  /** Id at the provider; null until its first response, because the record is written before the request. */
  ref: string | null;
  /** Address that was sent to the provider. */
  email: string;
  /** Number of requests for which the provider returned an error, which it repeats under the same idempotency key. */
  tries: number;
}

export const PaymentCustomerModel = defineModel<PaymentCustomerRecord>(
  'payment_customers',
  new Schema<PaymentCustomerRecord>({
    _id: String,
    userId: text,
    provider: text,
    ref: nullable,
    email: { type: String, default: '' },
    tries: { type: Number, required: true },
  }).index({
    installationId: 1,
    userId: 1,
  }),
);
