import { Schema } from 'mongoose';
import { repeatableId } from '../../../platform/ids/newId.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { StoredMoney } from '../../kernel/money/model.ts';
import { type ProviderName, providerNames } from '../payment-provider/PaymentProvider.ts';
import type { ChargebackMovement } from '../payment-provider/ProviderChargebacks.ts';
import type { ChargebackState } from './states.ts';

/** Job that reads chargebacks, and ends disputes because of them. */
export const chargebacksName = 'identity.chargebacks';

/** A payment that the payer's bank disputes at the provider, with its movements there. It contains no personal data. */
export interface ChargebackRecord {
  /** Derived from the id at the provider, so that each chargeback has one record. */
  _id: string;
  installationId: string;
  paymentId: string;
  /** Payee of the payment; null: the installation. */
  dealerId: string | null;
  provider: ProviderName;
  /** Id at the provider. */
  ref: string;
  /** Disputed amount. */
  amount: number;
  currency: string;
  /** Reason in the provider's terms, as in `fraudulent`. */
  reason: string;
  state: ChargebackState;
  /** Deadline for submitting evidence at the provider. */
  respondBy: Date | null;
  /** Movements at the provider that the ledger has. */
  movements: ChargebackMovement[];
  /** Time of the bank's decision; null before. */
  closedAt: Date | null;
  /** Time when the provider is read next; null once the decision is final. */
  dueAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns the id of the record of a chargeback at a provider. */
export function chargebackId(installationId: string, provider: ProviderName, ref: string): string {
  return repeatableId('chargeback', installationId, provider, ref);
}

const embedded = { _id: false, id: false } as const;
const text = { type: String, required: true } as const;
const whole = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

const fee = { type: new Schema<StoredMoney>({ amount: whole, currency: text }, embedded), required: true };

export const ChargebackModel = defineModel<ChargebackRecord>(
  'chargebacks',
  new Schema<ChargebackRecord>(
    {
      _id: String,
      paymentId: text,
      dealerId: { type: String, default: null },
      provider: { type: String, required: true, enum: providerNames },
      ref: text,
      amount: whole,
      currency: text,
      reason: text,
      state: text,
      respondBy: { type: Date, default: null },
      movements: [new Schema<ChargebackMovement>({ ref: text, amount: whole, fee }, embedded)],
      closedAt: { type: Date, default: null },
      dueAt: { type: Date, default: null },
      version: whole,
      createdAt: date,
      updatedAt: date,
    },
    { readConcern: { level: 'majority' } },
  )
    .index({ installationId: 1, paymentId: 1, createdAt: 1, _id: 1 })
    .index({ installationId: 1, dueAt: 1, _id: 1 }),
);
