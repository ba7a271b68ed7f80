import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../Caller.ts';
import { seedOperation } from '../seedOperation.ts';
import { listingOf, type SampleContext } from './SampleContext.ts';

const createPayment = seedOperation(`mutation createPayment($input: CreatePaymentInput!) {
  createPayment(input: $input) { payment { id clientSecret } } }`);
const readPayment = seedOperation('query payment($id: ID!) { payment(paymentId: $id) { state } }');
const chooseCard = seedOperation(`mutation chooseCard($input: AnswerSandboxInput!) {
  answerSandbox(input: $input) { order { status } } }`);
const openDispute = seedOperation(`mutation openDispute($input: OpenDisputeInput!) {
  openDispute(input: $input) { dispute { id } } }`);
const requestPayout = seedOperation(`mutation requestPayout($input: RequestPayoutInput!) {
  requestPayout(input: $input) { payout { id } } }`);

const pollMs = 200;

/** Creates a sale, a deposit, a disputed sale, and a payout of the earnings, in the sandbox. */
export async function seedMoney(context: SampleContext): Promise<void> {
  if (context.product.platform.payments.provider !== 'sandbox') return;
  const { buyer } = context.as;
  const { dealer } = listingOf(context, 'CAR-0174');
  const pay = (stockNumber: string, purpose: 'PURCHASE' | 'DEPOSIT', manual = false) =>
    payFor(context, { listingId: listingOf(context, stockNumber).id, purpose, manual });
  await pay('CAR-0174', 'PURCHASE');
  await pay('CAR-0401', 'DEPOSIT', true);
  const paymentId = await pay('CAR-0210', 'PURCHASE');
  await buyer.call(openDispute, {
    input: {
      paymentId,
      reason: 'NOT_AS_DESCRIBED',
      text: 'The listing states 9.7 litres on 100 km. The car uses 14, and the dealer does not answer.',
      idempotencyKey: 'demonstration-dispute',
    },
  });
  const { dealerId, caller } = dealer;
  await caller.call(requestPayout, {
    input: { dealerId, amount: { amount: 250_000, currency: 'EUR' }, idempotencyKey: 'demonstration-payout' },
  });
}

interface Order {
  readonly listingId: string;
  readonly purpose: 'PURCHASE' | 'DEPOSIT';
  /** Whether the dealer captures the payment later. */
  readonly manual: boolean;
}

/** Pays with the test card that succeeds. Returns the id of the payment when the provider's answer was applied. */
async function payFor(context: SampleContext, { manual, ...order }: Order): Promise<string> {
  const { buyer } = context.as;
  const { createPayment: created } = await buyer.call<{
    createPayment: { payment: { id: string; clientSecret: string } };
  }>(createPayment, {
    input: {
      ...order,
      captureMethod: manual ? 'MANUAL' : 'AUTOMATIC',
      idempotencyKey: `demonstration-payment-${order.listingId}`,
    },
  });
  const { id, clientSecret } = created.payment;
  if ((await stateOf(buyer, id)) === 'REQUIRES_PAYMENT_METHOD')
    await buyer.call(chooseCard, { input: { clientSecret, card: 'SUCCEEDS' } });
  const wanted = manual ? 'AUTHORIZED' : 'SUCCEEDED';
  while ((await stateOf(buyer, id)) !== wanted) await pause(pollMs, undefined, { signal: context.signal });
  return id;
}

async function stateOf(buyer: Caller, id: string): Promise<string> {
  return (await buyer.call<{ payment: { state: string } }>(readPayment, { id })).payment.state;
}
