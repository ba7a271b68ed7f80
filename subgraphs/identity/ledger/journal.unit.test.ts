import { isId, newId } from '../../platform/ids/newId.ts';
import { dealerAccount } from './accounts.ts';
import { toOperation, transactionId } from './journal.ts';

const now = Date.parse('2026-11-25T12:00:00Z');
const scope = { installationId: 'ins_demo', platform: { now: () => now } };
const dealerId = newId('dealer');
const source = { type: 'payment', id: newId('payment') } as const;
const line = (account: string, amount: number) => ({ account, amount, currency: 'EUR' });
const postings = [line('psp_clearing', -5), line(dealerAccount(dealerId, 'pending'), 5)];
const wanted = { kind: 'charge', source, dealerId, currency: 'EUR', postings } as const;

test('a transaction has an id of its own for each installation, source and kind, and always the same', () => {
  const id = transactionId('ins_demo', wanted);
  expect(isId('ledgerTransaction', id)).toBe(true);
  expect(transactionId('ins_demo', { kind: 'charge', source })).toBe(id);
  const ids = [
    transactionId('ins_other', wanted),
    transactionId('ins_demo', { ...wanted, kind: 'fee' }),
    transactionId('ins_demo', { ...wanted, source: { ...source, type: 'refund' } }),
    transactionId('ins_demo', { ...wanted, source: { ...source, id: newId('payment') } }),
  ];
  expect(new Set([id, ...ids]).size).toBe(5);
});

test('what a transaction does not state is null, and lines of nothing are left out', () => {
  const operation = toOperation(scope, 'ltx_1', wanted, [...postings, line('fees', 0)]);
  expect(operation).toStrictEqual({
    _id: 'ltx_1',
    kind: 'charge',
    source,
    dealerId,
    currency: 'EUR',
    postings,
    availableAt: null,
    paymentId: null,
    payoutId: null,
    reason: null,
    at: new Date(now),
  });
});

test('a transaction keeps when it becomes available, its payment, its payout and its reason', () => {
  const stated = { availableAt: new Date(0), paymentId: 'pay_1', payoutId: 'pot_1', reason: 'Goodwill' };
  expect(toOperation(scope, 'ltx_1', { ...wanted, ...stated }, postings)).toMatchObject(stated);
});
