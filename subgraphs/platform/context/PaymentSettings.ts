/** Payment settings of the deployment. They contain secrets, so they come from the environment. */
export interface PaymentSettings {
  /** `sandbox` moves no money, `manual` is a bank transfer that finance books. */
  readonly provider: 'stripe' | 'sandbox' | 'manual';
  /** Set with the provider `stripe`. */
  readonly stripe?: StripeSettings | undefined;
  /** Secrets of booking webhooks. During a rotation, any of them may sign. If empty, webhooks are refused. */
  readonly manualSecrets?: readonly string[];
}

/** Account at Stripe. */
export interface StripeSettings {
  /** `sk_live_…` or `sk_test_…`: events of the other kind are refused. */
  readonly secretKey: string;
  /** `whsec_…`, any of which may sign while they are replaced. */
  readonly webhookSecrets: readonly string[];
  /** Alternative URL of the API, for example of a mock server; null for Stripe's. */
  readonly apiBase: string | null;
  /** Timeout of a call to the provider in milliseconds; default 3500. */
  readonly timeoutMs?: number;
}
