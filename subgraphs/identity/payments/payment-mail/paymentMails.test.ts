import { collection } from '../../../../test/authorization/world/collection.ts';
import { keepCard } from '../../../../test/support/people/keepCard.ts';
import { payableDealer } from '../../../../test/support/people/payableDealer.ts';
import { sellThrough } from '../../../../test/support/people/sellThrough.ts';
import { product } from '../../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel } from '../../people/user/model.ts';
import { eraseUser } from '../../privacy/account-deletion/eraseUser.ts';
import { personalData } from '../../server.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { paymentMails } from './paymentMails.ts';

const world = product();
const { market } = world;
const price = { amount: 1_000_000, currency: 'EUR' };
let manager: SeededUser;
let agent: SeededUser;
let buyer: SeededUser;
let garage: SeededDealer;
let finance: SeededUser;
let fence = 1;
beforeAll(async () => {
  finance = await market.staff('finance');
});
beforeEach(async () => {
  [buyer, manager, agent] = [await market.user(), await market.user(), await market.user()];
  garage = await payableDealer(market, {
    members: [
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
});

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const idempotencyKey = () => unique('key');
/** The mails of a person, with ordinary spaces. */
async function mailsOf({ email }: SeededUser): Promise<string[]> {
  await world.stack.runJob('identity.relay');
  await world.stack.runJob(paymentMails.name, fence);
  const mails = await world.stack.mailsTo(email);
  return mails.map(({ subject, text }) => `${subject}\n${text}`.replaceAll(/[\u00A0\u202F]/g, ' '));
}
/** In alphabetic order, because ids of these mails do not grow. */
const subjectsOf = async (user: SeededUser) =>
  (await mailsOf(user)).map((mail) => String(mail.split('\n')[0])).sort();
const listing = async () => (await garage.listing({ published: true, price, title: 'Volvo 145' })).id;
const card = (name: 'succeeds' | 'declined' = 'succeeds') =>
  keepCard(world.stack, market.installation, buyer, name);
const pay = async (changes: { captureMethod?: 'MANUAL'; paymentMethodId?: string } = {}) => {
  const paymentMethodId = changes.paymentMethodId ?? (await card());
  const order = { purpose: 'DEPOSIT', listingId: await listing(), ...changes, paymentMethodId } as const;
  return (await buyer.createPayment({ ...order, idempotencyKey: idempotencyKey() })).payment;
};
const sell = async () =>
  sellThrough(world.stack, market.installation, {
    payerId: buyer.id,
    dealerId: garage.id,
    heldDays: 0,
    changes: { listingId: await listing() },
  });
const refund = (paymentId: string, by = garage.owner) =>
  by.createRefund({ paymentId, reason: 'OTHER', amount: eur(2300), idempotencyKey: idempotencyKey() });

test('a deposit sends a receipt to the payer and a notice to owners and managers of the dealer', async () => {
  const { receiptNumber } = await pay();
  const [receipt, ...more] = await mailsOf(buyer);
  expect(more).toEqual([]);
  expect(receipt).toContain(`receipt ${receiptNumber}`);
  expect(receipt).toContain('Your deposit of €1,000.00 for “Volvo 145”');
  for (const one of [garage.owner, manager])
    expect(await subjectsOf(one)).toEqual(['Payment received for “Volvo 145”']);
  expect(await mailsOf(agent)).toEqual([]);
});

test('an authorized payment is announced to the dealer, again a day before its end, and its cancellation to the payer', async () => {
  const { id: paymentId } = await pay({ captureMethod: 'MANUAL' });
  expect(await mailsOf(buyer)).toEqual([]);
  const endsAt = new Date(Date.now() + 3_600_000);
  await collection('payments').updateOne({ _id: paymentId }, { $set: { endsAt } });
  await world.stack.runJob('identity.payment-expiry-notices');
  expect(await subjectsOf(manager)).toEqual([
    'Collect the payment for “Volvo 145”',
    'The payment for “Volvo 145” expires soon',
  ]);
  await garage.owner.cancelPayment({ paymentId });
  expect(await subjectsOf(buyer)).toEqual(['You were not charged for “Volvo 145”']);
});

test('a declined payment that its payer cancels sends no mail', async () => {
  const { id: paymentId } = await pay({ paymentMethodId: await card('declined') });
  await buyer.cancelPayment({ paymentId });
  for (const one of [buyer, garage.owner]) expect(await mailsOf(one)).toEqual([]);
});

test('a refund is announced to the payer; a dispute to the dealer, with its deadline, and its outcome to both', async () => {
  const paymentId = await sell();
  await refund(paymentId);
  expect((await mailsOf(buyer))[0]).toContain('We are refunding €23.00');
  const { dispute } = await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'secret words' });
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
  const [opened] = await mailsOf(manager);
  expect(opened).toContain(`Respond by ${days.format(new Date(dispute.respondBy))}`);
  expect(opened).toContain('€100.00 of your balance');
  expect(opened).not.toContain('secret');
  const won = { outcome: 'WON', statement: 'secret reasons', idempotencyKey: idempotencyKey() } as const;
  await finance.resolveDispute({ disputeId: dispute.id, ...won });
  const decided = 'The dispute about “Volvo 145” was decided';
  expect(await subjectsOf(buyer)).toEqual(['Refund for “Volvo 145”', decided]);
  expect(await subjectsOf(garage.owner)).toEqual(['A buyer disputes the payment for “Volvo 145”', decided]);
  const mails = (await mailsOf(buyer)).join();
  expect(mails).toContain('was decided in favor of the dealer');
  expect(mails).not.toContain('secret');
});

test('a chargeback is announced to owners and managers of the dealer when money is taken and when it returns', async () => {
  const paymentId = await sell();
  for (const [type, amount] of [
    ['payment.charged_back', 2500],
    ['payment.chargeback_returned', 2400],
  ] as const)
    await market
      .records(PaymentModel)
      .findOneAndUpdate(
        { _id: paymentId },
        { $push: announce(world.stack, type, { data: { state: 'succeeded', chargeback: eur(amount) } }) },
      );
  const [returned, taken, ...more] = (await mailsOf(manager)).sort();
  expect(returned).toContain('has returned €24.00');
  expect(taken).toContain('has charged back €25.00');
  expect(more).toEqual([]);
  expect(await mailsOf(garage.owner)).toHaveLength(2);
  for (const one of [agent, buyer]) expect(await mailsOf(one)).toEqual([]);
});

test('a payout that is sent or fails is announced to owners alone', async () => {
  const dealerId = garage.id;
  await garage.owner.createPayoutOnboardingLink({ dealerId });
  const account = await collection('payout_accounts').findOne({ dealerId });
  const setAccount = (status: string) =>
    collection('provider_objects').updateOne({ _id: String(account?.ref) }, { $set: { status } });
  await setAccount('active');
  await collection('dealers').updateOne({ _id: dealerId }, { $set: { 'payout.accountState': 'active' } });
  await sell();
  const payOut = async (amount: number) => {
    const order = { dealerId, amount: eur(amount), idempotencyKey: idempotencyKey() };
    const { payout } = await garage.owner.requestPayout(order);
    await collection('payouts').updateOne({ _id: payout.id }, { $set: { dueAt: new Date(0) } });
    await world.stack.runJob('identity.payouts');
  };
  await payOut(6000);
  const [sent] = await subjectsOf(garage.owner);
  expect(sent).toContain('€60.00 is on its way to');
  await setAccount('rejected');
  await payOut(5300);
  const [failed] = (await mailsOf(garage.owner)).filter((mail) => !mail.startsWith(String(sent)));
  expect(failed).toContain('The bank rejected the payout of €53.00');
  expect(await mailsOf(manager)).toEqual([]);
});

test('an event that is processed again sends no second mail', async () => {
  await pay();
  expect(await mailsOf(buyer)).toHaveLength(1);
  const cursors = collection('relay_cursors');
  expect((await cursors.deleteMany({ _id: paymentMails.name })).deletedCount).toBe(1);
  // Another process, which knows nothing of the progress of this one; later tests use its fence.
  await world.stack.runJob(paymentMails.name, (fence += 1));
  expect(await cursors.findOne({ _id: paymentMails.name })).not.toBeNull();
  expect(await mailsOf(buyer)).toHaveLength(1);
});

test('a person who turned off mails about payments, is suspended or is erased gets none', async () => {
  const paymentId = await sell();
  const users = scoped(UserModel, market.installation.id);
  const put = ({ id }: SeededUser, set: object) => users.findOneAndUpdate({ _id: id }, { $set: set });
  await put(manager, { 'notificationPreferences.payment': { email: false, inApp: true } });
  await put(garage.owner, { state: 'suspended' });
  await refund(paymentId, manager);
  await buyer.openDispute({ paymentId, reason: 'OTHER', text: 'Broken.' });
  await put(buyer, { state: 'unverified' });
  const { platform } = world.stack;
  const erasure = {
    platform,
    installationId: market.installation.id,
    userId: buyer.id,
    job: 'test',
    personalData,
  };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  for (const one of [manager, garage.owner, buyer]) expect(await mailsOf(one)).toEqual([]);
});

test('the mails of ten payments cost as many commands as the mail of one', async () => {
  const paymentMethodId = await card();
  const costOf = async (count: number) => {
    for (let index = 0; index < count; index += 1) await pay({ paymentMethodId });
    await world.stack.runJob('identity.relay');
    return commandsOf(() => world.stack.runJob(paymentMails.name, fence));
  };
  await costOf(1);
  expect(await costOf(10)).toEqual(await costOf(1));
});
