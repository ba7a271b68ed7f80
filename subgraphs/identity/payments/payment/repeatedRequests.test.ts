import { collection } from '../../../../test/authorization/world/collection.ts';
import { payableDealer, listingPrice as price } from '../../../../test/support/people/payableDealer.ts';
import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { product } from '../../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';

const world = product();
const { market } = world;
const key = () => ({ idempotencyKey: unique('key') });
let garage: SeededDealer;
let buyer: SeededUser;
beforeAll(async () => {
  [garage, buyer] = [await payableDealer(market), await market.user()];
});
afterEach(() => interceptWrites(null));

const pay = async () => {
  const { id: listingId } = await garage.listing({ published: true, price });
  return (await buyer.createPayment({ purpose: 'DEPOSIT', listingId, ...key() })).payment.id;
};
/** As if the processes of all requests had ended before they stored an answer. */
const loseAnswers = async () => {
  const open = { state: 'running', payload: null, refusal: null, leaseUntil: new Date(0) };
  await collection('idempotency_keys').updateMany({}, { $set: open });
};

test('a cancellation whose process ended is answered with the canceled payment when it is repeated', async () => {
  const input = { paymentId: await pay(), ...key() };
  const first = await buyer.cancelPayment(input, 'payment { id state }');
  expect(first.payment).toMatchObject({ state: 'CANCELED' });
  await loseAnswers();
  expect(await buyer.cancelPayment(input, 'payment { id state }')).toEqual(first);
  expect(await buyer.cancelPayment({ ...input, ...key() })).toBeRefused(409, 'invalid_transition');
});

test('a cancellation that loses a race asks for a repetition, which cancels the payment', async () => {
  const input = { paymentId: await pay(), ...key() };
  let isLost = false;
  interceptWrites(async (write, proceed) => {
    if (write !== 'payments.findOneAndUpdate' || isLost) return proceed();
    isLost = true;
    return null;
  });
  expect(await buyer.cancelPayment(input)).toBeRefused(409, 'concurrent_update');
  expect((await buyer.cancelPayment(input)).payment).toMatchObject({ state: 'CANCELED' });
});

test('a refund that the balance did not cover is refused for that reason again when its answer was lost', async () => {
  const sale = { payerId: buyer.id, dealerId: garage.id, heldDays: 0 };
  const paymentId = await sellThrough(world.stack, market.installation, sale);
  await collection('ledger_balances').updateOne(
    { dealerId: garage.id },
    { $set: { 'accounts.available': 0 } },
  );
  const order = { paymentId, reason: 'OTHER', ...key() } as const;
  expect(await garage.owner.createRefund(order)).toBeRefused(409, 'insufficient_balance');
  await loseAnswers();
  expect(await garage.owner.createRefund(order)).toBeRefused(409, 'insufficient_balance');
});
