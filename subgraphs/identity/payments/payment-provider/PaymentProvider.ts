import type { StoredMoney } from '../../kernel/money/model.ts';
import type { ProviderChargebacks } from './ProviderChargebacks.ts';

/** Supported providers. */
export const providerNames = ['stripe', 'sandbox', 'manual'] as const;

export type ProviderName = (typeof providerNames)[number];

/** Use of an amount: payments and refunds, or payouts. */
export type AmountUse = 'payment' | 'payout';

/** Action of the payer that a payment waits for. */
export interface ProviderAction {
  /** `sdk`: with the client secret, in the provider's own form; `redirect`: at `url`; `bank_transfer`: manually. */
  type: 'sdk' | 'redirect' | 'bank_transfer';
  url: string | null;
}

/** Reason of a refusal by a provider or bank. The message may be shown to the payer. */
export interface ProviderRefusal {
  /** Error code, as in `card_declined`. */
  code: string;
  /** Code of the bank, as in `insufficient_funds`. */
  declineCode: string | null;
  message: string;
}

/** A payment as the provider has it at this moment. Amounts in minor units of the order's currency. */
export interface ProviderPayment {
  /** Id at the provider. */
  ref: string;
  /** `pay_…` of the request; null if the provider does not store it. */
  paymentId: string | null;
  state:
    | 'requires_payment_method'
    | 'requires_action'
    | 'processing'
    | 'authorized'
    | 'succeeded'
    | 'canceled';
  amount: number;
  currency: string;
  amountCapturable: number;
  amountCaptured: number;
  /** Secret that lets a browser continue this payment only. */
  clientSecret: string | null;
  action: ProviderAction | null;
  refusal: ProviderRefusal | null;
  /** Time until which the authorized amount can be captured. */
  authorizedUntil: Date | null;
  /** Fee of the provider for the capture, in the currency of its balance; null until it is known. */
  providerFee: StoredMoney | null;
  /** Transferred amount that was not captured and that the provider does not return automatically, in minor units. */
  amountToReturn: number;
}

/** Payment to create. The provider authorizes the amount; `capturePayment` captures it. */
export interface PaymentOrder {
  /**
   * `pay_…`. The provider's idempotency key is derived from it and `tries`, so that a repeated request finds the first
   * object.
   */
  paymentId: string;
  /** Number of errors that the provider repeats under the key of an earlier order. */
  tries: number;
  /** Time when the payment was created. The provider's objects of it are not older. */
  createdAt: Date;
  /** Whether an earlier request may have succeeded; if so, the provider first searches for its result. */
  isRepeated: boolean;
  amount: StoredMoney;
  /** The payer's customer at the provider; null: not yet created. */
  customerRef: string | null;
  /** A saved method; null if the payer chooses one with the client secret. */
  methodRef: string | null;
  /** Text for the payer's statement and the provider's support. */
  description: string;
  /** URL to which the payer returns from a page of the provider. */
  returnUrl: string;
}

/** Payment method, pending or saved. It never contains a card number. */
export interface ProviderMethod {
  /** Id of the setup, by which it is read. */
  setupRef: string;
  /** `pmt_…` of the setup request; null if the provider does not store it. */
  paymentMethodId: string | null;
  state: 'pending' | 'active' | 'failed';
  /** Id by which payments refer to the method; null until it is active. */
  methodRef: string | null;
  clientSecret: string | null;
  action: ProviderAction | null;
  /** Type, as in `card` or `sepa_debit`. */
  type: string;
  brand: string | null;
  last4: string | null;
  expMonth: number | null;
  expYear: number | null;
}

/** A method to save for later payments. */
export interface MethodSetup {
  /** `pmt_…` */
  paymentMethodId: string;
  customerRef: string;
  returnUrl: string;
}

/** Data of a payer for the provider, equal in every call. */
export interface CustomerFacts {
  userId: string;
  email: string;
}

/** A refund as the provider has it. */
export interface ProviderRefund {
  ref: string;
  /** `rfd_…`; null for a refund that was not ordered by the product. */
  refundId: string | null;
  /** Id of the payment at the provider; null if the refund is not of a payment. */
  paymentRef: string | null;
  /** `awaits_transfer`: finance must make a bank transfer and record it. */
  state: 'pending' | 'awaits_transfer' | 'succeeded' | 'failed' | 'canceled';
  amount: number;
  currency: string;
  failureCode: string | null;
}

export interface RefundOrder {
  /** `rfd_…`; the provider's idempotency key follows from it, `attempt` and `tries`. */
  refundId: string;
  /** 1, and one more for each time that an earlier one failed for good. */
  attempt: number;
  /** Number of errors that the provider repeats under the key of an earlier order. */
  tries: number;
  paymentRef: string;
  amount: StoredMoney;
  reason: string;
}

/** Account of a dealer at the provider, which receives the dealer's earnings. */
export interface ProviderAccount {
  ref: string;
  /** `dlr_…` */
  dealerId: string | null;
  state: 'pending' | 'active' | 'restricted' | 'rejected';
  /** Information that the provider still requires, as the provider names it. */
  requirementsDue: string[];
}

export interface AccountOrder {
  /** `dlr_…`; the provider's idempotency key follows from it and `tries`. */
  dealerId: string;
  /** Number of errors that the provider repeats under the key of an earlier order. */
  tries: number;
  /** Time of the first request for the account. The provider's account is not older. */
  orderedAt: Date;
  /** Whether an earlier request may have opened it; if so, the provider first searches for it. */
  isRepeated: boolean;
  legalName: string;
  contactEmail: string;
  country: string;
  currency: string;
}

/** Page of the provider where a dealer identifies itself. */
export interface OnboardingLink {
  url: string;
  expiresAt: Date;
}

/** A payout as the provider has it. */
export interface ProviderPayout {
  ref: string;
  /** `pot_…` */
  payoutId: string | null;
  /** `awaits_transfer`: finance must make a bank transfer and record it. */
  state: 'in_transit' | 'awaits_transfer' | 'paid' | 'failed';
  amount: number;
  currency: string;
  arrivalDate: Date | null;
  failureCode: string | null;
}

export interface PayoutOrder {
  /** `pot_…`; the provider's own idempotency key follows from it, `attempt` and `tries`. */
  payoutId: string;
  /** 1, and one more for each time that an earlier one failed for good. */
  attempt: number;
  /** Number of errors that the provider repeats under the key of an earlier order. */
  tries: number;
  accountRef: string;
  amount: StoredMoney;
  /** Time of the request for the payout. The provider's payout is not older. */
  createdAt: Date;
}

/** Transfer of a payout to the dealer's account at the provider, from which it is paid to the bank. */
export type TransferOrder = Pick<PayoutOrder, 'payoutId' | 'tries' | 'accountRef' | 'amount'>;

/**
 * Transfers to accounts of dealers: one for each payout, regardless of its attempts. An earlier transfer is found at
 * any age, without an idempotency key.
 */
export interface ProviderTransfers {
  /** Creates the transfer of a payout, or returns the existing one. */
  create(order: TransferOrder): Promise<{ ref: string }>;
  /** Returns the transfer of a payout; null if there is none. */
  find(payoutId: string): Promise<{ ref: string } | null>;
  /** Reverses the whole transfer once, regardless of the number of calls. */
  reverse(ref: string, order: Pick<TransferOrder, 'payoutId' | 'tries'>): Promise<void>;
}

/** Kinds of objects that events are about. */
export const providerObjects = ['payment', 'method', 'refund', 'chargeback', 'account', 'payout'] as const;

export type ProviderObject = (typeof providerObjects)[number];

/**
 * Event that states which object changed. The object is read from the provider, because events arrive late, repeatedly
 * or in another order.
 */
export interface ProviderEvent {
  id: string;
  /** Type of the event in the provider's terms. */
  type: string;
  /** The object of the event; null if it is not stored here. */
  object: { kind: ProviderObject; ref: string; accountRef: string | null } | null;
  /** A transfer that matches no payment, with the state of the payment that it names; null if that is missing. */
  unbooked?: { paymentId: string; state: string | null };
}

/** An unmodified webhook request. */
export interface ReceivedWebhook {
  body: Buffer;
  /** Signature header, as in `t=…,v1=…`. */
  signature: string | undefined;
}

/** Customers of a provider and their saved methods. */
export interface ProviderMethods {
  /** Creates a payer at the provider; `tries` as for a refund. */
  createCustomer(customer: CustomerFacts & { tries: number }): Promise<{ ref: string }>;
  /** Returns the customer that was created with these facts, at any age; null if there is none. */
  findCustomer(customer: CustomerFacts): Promise<{ ref: string } | null>;
  /** Deletes a payer's data, except what the provider must keep by law. */
  deleteCustomer(ref: string): Promise<void>;
  createMethod(setup: MethodSetup): Promise<ProviderMethod>;
  readMethod(setupRef: string): Promise<ProviderMethod>;
  /** Cancels a pending setup, so that it can no longer be completed. */
  cancelMethod(setupRef: string): Promise<void>;
  /** Deletes it, so that it can no longer be charged. */
  deleteMethod(methodRef: string): Promise<void>;
}

/**
 * Payment provider of one installation. Every call can be repeated: the provider's idempotency key is derived from the
 * id of the record. A failure is a `ProviderFailure`; a declined card is a normal response.
 */
export interface PaymentProvider extends ProviderMethods {
  readonly name: ProviderName;
  /** Returns the step of which amounts in minor units must be multiples; 0 if the currency is not supported. */
  stepOf(currency: string, use: AmountUse): number;
  createPayment(order: PaymentOrder): Promise<ProviderPayment>;
  readPayment(ref: string): Promise<ProviderPayment>;
  /**
   * Captures part of the authorized amount and releases the rest, once for each payment, regardless of the attempts.
   *
   * @param capture.attempt version of the payment, which grows with each attempt; it is part of the idempotency key,
   *   because the same key would repeat an error
   */
  capturePayment(
    ref: string,
    capture: { paymentId: string; amount: StoredMoney; attempt: number },
  ): Promise<ProviderPayment>;
  /** Releases an authorization, or cancels an unpaid payment. `attempt` works as for a capture. */
  cancelPayment(ref: string, cancel: { paymentId: string; attempt: number }): Promise<ProviderPayment>;
  createRefund(order: RefundOrder): Promise<ProviderRefund>;
  readRefund(ref: string): Promise<ProviderRefund>;
  /** Null if the provider has no chargebacks. */
  readonly chargebacks: ProviderChargebacks | null;
  createAccount(order: AccountOrder): Promise<ProviderAccount>;
  readAccount(ref: string): Promise<ProviderAccount>;
  createOnboardingLink(
    accountRef: string,
    pages: { returnUrl: string; refreshUrl: string },
  ): Promise<OnboardingLink>;
  /** Transfers before payouts; null if payouts go directly to the bank. */
  readonly transfers: ProviderTransfers | null;
  /** Creates a payout, or returns the one that an earlier call created for this attempt. */
  createPayout(order: PayoutOrder): Promise<ProviderPayout>;
  /** @param accountRef account that the payout is paid to */
  readPayout(ref: string, accountRef: string): Promise<ProviderPayout>;
  /**
   * Verifies and parses an event.
   *
   * @throws AppError `signature_invalid`, `malformed_request`
   */
  readEvent(webhook: ReceivedWebhook): Promise<ProviderEvent>;
}
