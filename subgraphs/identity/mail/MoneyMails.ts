/**
 * Mails about money, with the data of their texts. `amount` is minor units and ISO 4217 code, as in `123457 EUR`;
 * `title` is that of the listing, `purpose` that of the payment.
 */
export interface MoneyMails {
  /** To the payer. */
  paymentReceipt: {
    displayName: string;
    title: string;
    amount: string;
    purpose: string;
    receiptNumber: string;
  };
  /** To the payee. This mail and the following ones go to the managers and owners of the dealer. */
  paymentReceived: { displayName: string; title: string; amount: string; purpose: string };
  /** An authorized payment is waiting for its capture. */
  paymentAuthorized: { displayName: string; title: string; amount: string; untilAt: string };
  /** The authorization expires soon. */
  paymentExpires: { displayName: string; title: string; amount: string; untilAt: string };
  /** To the payer: the bank declined the payment. */
  paymentFailed: { displayName: string; title: string; amount: string };
  /** To the payer: nothing was captured. `taken` is `true` if another buyer was faster, otherwise `false`. */
  paymentReleased: { displayName: string; title: string; amount: string; taken: string };
  /** To the payer: a payment by bank transfer ended before its transfer arrived. */
  transferEnded: { displayName: string; title: string; amount: string };
  /** To the payer: a payment by bank transfer ended after its transfer arrived. `taken` as above. */
  transferReturned: { displayName: string; title: string; amount: string; taken: string };
  /** The payer's bank charged the payment back, or returned it. */
  paymentChargedBack: { displayName: string; title: string; amount: string };
  chargebackReturned: { displayName: string; title: string; amount: string };
  /** To the payer. */
  refundSent: { displayName: string; title: string; amount: string };
  disputeOpened: { displayName: string; title: string; amount: string; respondByAt: string };
  /** To both sides. `outcome` is `won`, `lost` (both as the dealer sees it), `split` or `withdrawn`. */
  disputeDecided: { displayName: string; title: string; amount: string; outcome: string };
  /** To the owners of the dealer, as the next mail. */
  payoutSent: { displayName: string; tradeName: string; amount: string };
  payoutFailed: { displayName: string; tradeName: string; amount: string };
}
