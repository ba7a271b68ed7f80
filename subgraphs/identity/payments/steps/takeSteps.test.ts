import { post } from '../../../../test/support/post.ts';
import { product } from '../../../../test/support/product.ts';
import type { SeededDealer } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import { dealerAccount } from '../ledger/accounts.ts';
import { LedgerTransactionModel } from '../ledger/model.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';
import { createPayout } from '../payout/createPayout.ts';
import { PayoutModel, type PayoutRecord } from '../payout/model.ts';
import { payoutSteps } from '../payout/payoutSteps.ts';
import { payoutTransaction } from '../payout/payoutTransaction.ts';
import { type Step, takeSteps } from './takeSteps.ts';

const world = product();
const { market } = world;
const scope = () => ({
  installationId: market.installation.id,
  installation: market.installation,
  platform: world.stack.platform,
});

let garage: SeededDealer;
let payout: PayoutRecord;
beforeEach(async () => {
  garage = await market.dealer();
  const line = (account: string, amount: number) => ({ account, amount, currency: 'EUR' });
  await post(scope(), {
    kind: 'adjustment',
    source: { type: 'adjustment', id: newId('ledgerTransaction') },
    dealerId: garage.id,
    currency: 'EUR',
    postings: [line('psp_clearing', -100), line(dealerAccount(garage.id, 'available'), 100)],
  });
  const stated = { _id: newId('payout'), dealerId: garage.id, kind: 'manual' } as const;
  const amount = { amount: 100, currency: 'EUR' };
  payout = await inTransaction((session) => createPayout(scope(), { ...stated, amount }, session));
});

const stored = () => market.records(PayoutModel).findOne({ _id: payout._id });
const kinds = async () =>
  (await market.records(LedgerTransactionModel).find({ payoutId: payout._id }))
    .map(({ kind }) => kind)
    .sort();
const paid = (): Step<PayoutRecord> => ({
  changes: { state: 'paid', dueAt: null },
  post: [payoutTransaction(payout, 'payout_paid')],
});

test('a step commits the change, its event and its ledger transactions together', async () => {
  const changed = await takeSteps(payoutSteps, scope(), payout, paid());
  expect(changed).toMatchObject({ state: 'paid', version: payout.version + 1 });
  expect(changed.outbox?.at(-1)).toMatchObject({ type: 'payout.paid', data: { state: 'paid' } });
  expect(await kinds()).toEqual(['payout', 'payout_paid']);
});

test('a step whose commit fails changes nothing', async () => {
  const step = { ...paid(), also: () => Promise.reject(new Error('No.')) };
  await expect(takeSteps(payoutSteps, scope(), payout, step)).rejects.toThrow('No.');
  expect(await stored()).toMatchObject({ state: 'pending', version: payout.version });
  expect(await kinds()).toEqual(['payout']);
});

test('a step of a record that another process has changed posts nothing and returns the stored record', async () => {
  await takeSteps(payoutSteps, scope(), payout, { changes: { state: 'on_hold' } });
  expect(await takeSteps(payoutSteps, scope(), payout, paid())).toMatchObject({ state: 'on_hold' });
  expect(await kinds()).toEqual(['payout']);
});

test('a step that goes on is followed by that of the new state, and a failure of the provider by its own', async () => {
  const failure = new ProviderFailure('unknown', 'timeout', 'No answer.', { isKept: true });
  const steps = {
    ...payoutSteps,
    next: { ...payoutSteps.next, in_transit: () => Promise.reject(failure) },
    afterFailure: () => ({ changes: { failureCode: 'timeout' }, failure }),
  };
  const first = { changes: { state: 'in_transit' }, goesOn: true } as const;
  expect(await takeSteps(steps, scope(), payout, first)).toMatchObject({
    state: 'in_transit',
    failureCode: 'timeout',
    tries: 1,
  });
});
