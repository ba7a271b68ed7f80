import { nextStates as afterChargeback } from '../../subgraphs/identity/payments/chargeback/states.ts';
import { nextStates as afterDispute } from '../../subgraphs/identity/payments/dispute/record/states.ts';
import { nextStates as afterPayment } from '../../subgraphs/identity/payments/payment/record/states.ts';
import { nextStates as afterPayout } from '../../subgraphs/identity/payments/payout/states.ts';
import { nextStates as afterRefund } from '../../subgraphs/identity/payments/refund/record/states.ts';
import { collection } from '../authorization/world/collection.ts';
import { type MoneyRun, paymentsOf } from './MoneyRun.ts';

type Next = (state: string) => readonly string[];

/** Initial states and transitions of each kind of record. */
const kinds: readonly { name: string; start: string; next: Next }[] = [
  { name: 'refunds', start: 'pending', next: afterRefund as Next },
  { name: 'payouts', start: 'pending', next: afterPayout as Next },
  { name: 'chargebacks', start: 'inquiry', next: afterChargeback as Next },
  { name: 'disputes', start: 'needs_response', next: afterDispute as Next },
];

/** Asserts that each record whose state changed reached it through existing transitions. */
export async function watch(run: MoneyRun): Promise<void> {
  for (const { _id, state } of await paymentsOf(run))
    see(run, _id, String(state), 'requires_payment_method', afterPayment as Next);
  for (const { name, start, next } of kinds)
    for (const { _id, state } of await collection(name).find({ dealerId: run.garage.id }).toArray())
      see(run, _id, String(state), start, next);
}

function see({ seen }: MoneyRun, id: string, state: string, start: string, next: Next): void {
  const before = seen.get(id) ?? start;
  expect([id, before, state, canReach(before, state, next)]).toEqual([id, before, state, true]);
  seen.set(id, state);
}

/** Whether a state can be reached from another one by any number of transitions. */
function canReach(from: string, to: string, next: Next): boolean {
  const reached = new Set([from]);
  for (const state of reached) for (const further of next(state)) reached.add(further);
  return reached.has(to);
}
