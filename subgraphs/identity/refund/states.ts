/** States of a refund; see the transitions. */
export const refundStates = ['pending', 'succeeded', 'failed', 'canceled'] as const;

/** State of a refund as it is stored. */
export type RefundState = (typeof refundStates)[number];

/** Every way there is: from, to, by. A refund that succeeded fails when the payer's bank sends it back. */
export const transitions: readonly (readonly [RefundState, RefundState, 'provider' | 'retry'])[] = [
  ['pending', 'succeeded', 'provider'],
  ['pending', 'failed', 'provider'],
  ['pending', 'canceled', 'provider'],
  ['succeeded', 'failed', 'provider'],
  ['failed', 'pending', 'retry'],
];

/** Whether a refund may go this way. */
export function mayBecome(from: RefundState, to: RefundState): boolean {
  return transitions.some((way) => way[0] === from && way[1] === to);
}
