import { once, onEach, reading, writingOnce } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';
import { namesOf } from '../world/Item.ts';

const ofDealer = {
  rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
  scope: 'payments:read',
  cases: onEach(namesOf('dealer'), (dealerId) => reading({ dealerId })),
} as const satisfies Partial<Operation>;
const postings = [
  { account: 'losses', amount: { amount: -1, currency: 'EUR' } },
  { account: 'psp_clearing', amount: { amount: 1, currency: 'EUR' } },
];

/** The ledger. */
export const ledgerOperations: readonly Operation[] = [
  {
    ...ofDealer,
    field: 'Query.dealerBalance',
    selection: 'dealerId balances { currency available }',
    check: (data, { item }) => expect(data.dealerId).toBe(item?.id),
  },
  {
    ...ofDealer,
    field: 'Query.dealerLedgerEntries',
    selection: 'nodes { id total }',
  },
  {
    field: 'Mutation.createLedgerAdjustment',
    rule: { kind: 'holds any', permissions: ['ledger:adjust'] },
    stepUp: true,
    selection: 'transaction { id }',
    cases: [once(() => writingOnce({}, { reason: 'Rounding', postings }))],
  },
  {
    field: 'Query.ledgerProofs',
    rule: { kind: 'holds any', permissions: ['ledger:adjust'] },
    selection: 'nodes { id }',
    cases: [once(() => ({ variables: { first: 5 } }))],
  },
];
