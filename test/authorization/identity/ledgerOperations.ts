import { randomUUID } from 'node:crypto';
import { namesOf } from '../Item.ts';
import type { Case, Operation } from '../Operation.ts';

const dealers = namesOf('dealer');

const reads: readonly Case[] = dealers.map((item) => ({
  item,
  call: ({ item }) => ({ variables: { dealerId: item?.id }, path: { dealerId: item?.id ?? '' } }),
}));

const lines = [
  { account: 'losses', amount: { amount: -1, currency: 'EUR' } },
  { account: 'psp_clearing', amount: { amount: 1, currency: 'EUR' } },
];

/** The books. */
export const ledgerOperations: readonly Operation[] = [
  {
    field: 'Query.dealerBalance',
    source: 'manager or payments:read; clients with payments:read',
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    scope: 'payments:read',
    routes: { 'GET /api/v1/dealers/{dealerId}/balance': 200 },
    selection: 'dealerId balances { currency available }',
    cases: reads,
    check: (data, { item }) => expect(data.dealerId).toBe(item?.id),
  },
  {
    field: 'Query.dealerLedgerEntries',
    source: 'manager or payments:read; clients with payments:read',
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    scope: 'payments:read',
    routes: { 'GET /api/v1/dealers/{dealerId}/ledger-entries': 200 },
    selection: 'nodes { id total }',
    cases: reads,
  },
  {
    field: 'Mutation.createLedgerAdjustment',
    source: 'ledger:adjust; step-up; a key',
    rule: { kind: 'holds any', permissions: ['ledger:adjust'] },
    stepUp: true,
    routes: { 'POST /api/v1/admin/ledger-adjustments': 201 },
    selection: 'transaction { id }',
    cases: [
      {
        call: () => {
          const body = { reason: 'Rounding', postings: lines };
          return { variables: { input: { ...body, idempotencyKey: randomUUID() } }, body };
        },
      },
    ],
  },
  {
    field: 'Query.ledgerProofs',
    source: 'proven nightly; for whoever may put it right',
    rule: { kind: 'holds any', permissions: ['ledger:adjust'] },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: { first: 5 } }) }],
  },
];
