/** States of a payment; see the transitions. */
export const paymentStates = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
] as const;

export type PaymentState = (typeof paymentStates)[number];

/** Where a payment can go from each state. */
export const ways: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  requires_payment_method: ['requires_action', 'processing', 'authorized', 'succeeded', 'canceled'],
  requires_action: ['requires_payment_method', 'processing', 'authorized', 'succeeded', 'canceled'],
  processing: ['authorized', 'succeeded', 'failed'],
  authorized: ['succeeded', 'canceled'],
  succeeded: [],
  failed: [],
  canceled: [],
};

/** Whether there is such a way. */
export function isAllowed(from: PaymentState, to: PaymentState): boolean {
  return ways[from].includes(to);
}

/** States that can be reached from a state, for people who ran into a refusal. */
export function nextStates(from: PaymentState): readonly PaymentState[] {
  return ways[from];
}

/** States in which a payer has something to do, and sees what he does it with. */
export const waitingStates: ReadonlySet<PaymentState> = new Set([
  'requires_payment_method',
  'requires_action',
]);

/** States that nothing leaves. */
export const finalStates: ReadonlySet<PaymentState> = new Set(['succeeded', 'failed', 'canceled']);
