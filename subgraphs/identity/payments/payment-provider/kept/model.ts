import { Schema } from 'mongoose';
import { defineModel } from '../../../../platform/mongo/defineModel.ts';
import type { ProviderObject, ProviderRefusal } from '../PaymentProvider.ts';

/** Test cards of the sandbox. */
export const sandboxCards = ['succeeds', 'declined', 'challenge', 'slow'] as const;

export type SandboxCard = (typeof sandboxCards)[number];

interface KeptRefund {
  ref: string;
  refundId: string;
  amount: number;
}

/**
 * Object of a provider without servers: the sandbox, and manually booked transfers. It represents what another company
 * would store, so only the provider reads or writes it.
 */
export interface ProviderObjectRecord {
  /** Derived from the record that it belongs to, so that a repeated request finds the first object. */
  _id: string;
  installationId: string;
  kind: ProviderObject | 'customer';
  /** Id of the record that the object was created for: `pay_…`, `pmt_…`, `pot_…`, `dlr_…`, `usr_…`. */
  ownId: string;
  /** Secret that lets a browser continue the object; null if it cannot be continued. */
  clientSecret: string | null;
  status: string;
  amount: number;
  currency: string;
  amountCaptured: number;
  refunds: KeptRefund[];
  card: SandboxCard | null;
  refusal: ProviderRefusal | null;
  /** Id of the bank's event that booked a transfer; null if finance booked it, or it is not booked. */
  bookedBy: string | null;
  /** Whether the money of a canceled transfer had arrived; absent in other objects. */
  isReceived?: boolean;
  /** Time when the pending operation completes; null if nothing is pending. */
  settlesAt: Date | null;
  /** URL to which the browser returns. */
  returnUrl: string | null;
  createdAt: Date;
}

const embedded = { _id: false, id: false } as const;

export const ProviderObjectModel = defineModel<ProviderObjectRecord>(
  'provider_objects',
  new Schema<ProviderObjectRecord>({
    _id: String,
    kind: { type: String, required: true },
    ownId: { type: String, required: true },
    clientSecret: { type: String, default: null },
    status: { type: String, required: true },
    amount: { type: Number, default: 0 },
    currency: { type: String, default: '' },
    amountCaptured: { type: Number, default: 0 },
    refunds: [new Schema<KeptRefund>({ ref: String, refundId: String, amount: Number }, embedded)],
    card: { type: String, default: null },
    bookedBy: { type: String, default: null },
    isReceived: Boolean,
    refusal: {
      type: new Schema<ProviderRefusal>({ code: String, declineCode: String, message: String }, embedded),
      default: null,
    },
    settlesAt: { type: Date, default: null },
    returnUrl: { type: String, default: null },
    createdAt: { type: Date, required: true },
  })
    .index({ installationId: 1, clientSecret: 1 })
    .index({ installationId: 1, 'refunds.ref': 1 }),
);
