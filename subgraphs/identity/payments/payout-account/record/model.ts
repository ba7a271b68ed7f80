import { Schema } from 'mongoose';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import type { ProviderName } from '../../payment-provider/PaymentProvider.ts';

/** Account of a dealer at a provider. Its state is stored in the dealer's record. */
export interface PayoutAccountRecord {
  _id: string;
  installationId: string;
  dealerId: string;
  provider: ProviderName;
  /** Id at the provider. */
  ref: string;
  createdAt: Date;
}

const text = { type: String, required: true } as const;

export const PayoutAccountModel = defineModel<PayoutAccountRecord>(
  'payout_accounts',
  new Schema<PayoutAccountRecord>({
    _id: String,
    dealerId: text,
    provider: text,
    ref: text,
    createdAt: { type: Date, required: true },
  }).index({ installationId: 1, provider: 1, ref: 1 }, { unique: true }),
);

/** Returns the id of the only account of a dealer at a provider. */
export function payoutAccountId(dealerId: string, provider: ProviderName): string {
  return `${dealerId}:${provider}`;
}

export function findPayoutAccount(
  installationId: string,
  dealerId: string,
  provider: ProviderName,
): Promise<PayoutAccountRecord | null> {
  return scoped(PayoutAccountModel, installationId).findOne({ _id: payoutAccountId(dealerId, provider) });
}

/**
 * Request for an account at a provider. It is stored before the request is sent, so that a lost account can be found.
 */
interface PayoutAccountOrderRecord {
  /** Id of the account's record. */
  _id: string;
  installationId: string;
  /** Number of requests for which the provider returned an error, which it repeats under the same idempotency key. */
  tries: number;
  createdAt: Date;
}

export const PayoutAccountOrderModel = defineModel<PayoutAccountOrderRecord>(
  'payout_account_orders',
  new Schema<PayoutAccountOrderRecord>({
    _id: String,
    tries: { type: Number, required: true },
    createdAt: { type: Date, required: true },
  }),
);
