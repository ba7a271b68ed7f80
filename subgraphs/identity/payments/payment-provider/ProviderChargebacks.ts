import type { StoredMoney } from '../../kernel/money/model.ts';

/** A chargeback at the provider. The payer's bank disputes a payment, and the provider takes back its money. */
export interface ProviderChargeback {
  /** Id at the provider. */
  ref: string;
  /** Payment at the provider; null if the provider states none. */
  paymentRef: string | null;
  /**
   * `inquiry`: the bank inquires and no money has moved; `closed`: the inquiry ended. `won` and `lost` are the dealer's
   * view.
   */
  state: 'inquiry' | 'open' | 'won' | 'lost' | 'closed';
  /** Disputed amount, in minor units. */
  amount: number;
  /** ISO 4217, of the payment. */
  currency: string;
  /** Reason in the provider's terms, as in `fraudulent`. */
  reason: string;
  /** Deadline for submitting evidence at the provider. */
  respondBy: Date | null;
  /** Movements on the balance at the provider so far. */
  movements: ChargebackMovement[];
}

/** A movement that a chargeback made on the balance at the provider. It never changes. */
export interface ChargebackMovement {
  /** Id at the provider. */
  ref: string;
  /** Minor units in the currency of the chargeback: negative if taken, positive if returned. */
  amount: number;
  /** Fee of the provider, in the currency of its balance; negative for a returned fee. */
  fee: StoredMoney;
}

/** Chargebacks at a provider. Banks create and decide them, so they can only be read. */
export interface ProviderChargebacks {
  read(ref: string): Promise<ProviderChargeback>;
  /** Returns the chargebacks of the whole account since a time, of all installations. */
  list(since: Date): Promise<ProviderChargeback[]>;
}
