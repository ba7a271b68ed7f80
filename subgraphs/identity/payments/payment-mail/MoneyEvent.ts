import type {
  DisputeChanged,
  PaymentChanged,
  PayoutChanged,
  RefundChanged,
} from '../../../../schema/events.ts';

/** Records that a mail about money is written from. */
export type MoneyEvent = PaymentChanged | RefundChanged | DisputeChanged | PayoutChanged;
