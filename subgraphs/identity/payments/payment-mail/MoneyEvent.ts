import type {
  DisputeChanged,
  PaymentChanged,
  PayoutChanged,
  RefundChanged,
} from '../../../../schema/events.ts';

/** What mails about money are made of. */
export type MoneyEvent = PaymentChanged | RefundChanged | DisputeChanged | PayoutChanged;
