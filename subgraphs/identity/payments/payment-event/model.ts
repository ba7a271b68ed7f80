import { Schema } from 'mongoose';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { ProviderEvent, ProviderName } from '../payment-provider/PaymentProvider.ts';

/** Event of a provider as it was received. It states that an object changed, not how. */
export interface PaymentEventRecord {
  /** Installation, provider and the provider's own id: the same event is stored once. */
  _id: string;
  installationId: string;
  provider: ProviderName;
  type: string;
  object: ProviderEvent['object'];
  /** Time when it is processed next; null after it was processed. */
  dueAt: Date | null;
  attempts: number;
  receivedAt: Date;
}

/** Longer than providers repeat an event. */
const keptSeconds = 30 * 24 * 3600;

export const PaymentEventModel = defineModel<PaymentEventRecord>(
  'payment_events',
  new Schema<PaymentEventRecord>({
    _id: String,
    provider: { type: String, required: true },
    type: { type: String, required: true },
    object: {
      type: new Schema({ kind: String, ref: String, accountRef: String }, { _id: false, id: false }),
      default: null,
    },
    dueAt: { type: Date, default: null },
    attempts: { type: Number, required: true },
    receivedAt: { type: Date, required: true },
  })
    .index({ installationId: 1, dueAt: 1, _id: 1 }, { partialFilterExpression: { dueAt: { $type: 'date' } } })
    .index({ receivedAt: 1 }, { expireAfterSeconds: keptSeconds }),
);
