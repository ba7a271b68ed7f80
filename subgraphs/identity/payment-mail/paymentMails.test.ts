import { collection } from '../../../test/authorization/collection.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { keepCard } from '../../../test/support/keepCard.ts';
import { payableDealer } from '../../../test/support/payableDealer.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../test/support/seed.ts';
import { sellThrough } from '../../../test/support/sellThrough.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { eraseUser } from '../account-deletion/eraseUser.ts';
import { UserModel } from '../user/model.ts';
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

const call = (method: string, path: string, { token }: { token: string }, body: object = {}) =>
  world.rest(method, `/api/v1${path}`, { token, body, headers: { 'idempotency-key': unique('key') } });
const look = async () => {
  await world.stack.runJob('identity.relay');
  await world.stack.runJob(paymentMails.name, fence);
};
/** What somebody was written, with what stands in it in ordinary spaces. */
async function got({ email }: SeededUser): Promise<string[]> {
  await look();
  const mails = await world.stack.mailsTo(email);
  return mails.map(({ subject, text }) => `${subject}\n${text}`.replaceAll(/[\u00A0\u202F]/g, ' '));
}
/** In no order: ids of these mails do not grow. */
const subjects = async (user: SeededUser) =>
  (await got(user)).map((mail) => String(mail.split('\n')[0])).sort();
const pay = async (input: object, card: 'succeeds' | 'declined' = 'succeeds', as = buyer) => {
  const paymentMethodId = await keepCard(world.stack, market.installation, as, card);
  return (await call('POST', '/payments', as, { purpose: 'deposit', paymentMethodId, ...input })).body;
};
const listed = async () => (await garage.listing({ published: true, price, title: 'Volvo 145' })).id;
const sell = async () =>
  sellThrough(world.stack, market.installation, {
    payerId: buyer.id,
    dealerId: garage.id,
    heldDays: 0,
    changes: { listingId: await listed() },
  });

test('a deposit is a receipt for who pays, and news for those who lead the dealer', async () => {
  const payment = await pay({ listingId: await listed() });
  const [receipt, ...more] = await got(buyer);
  expect(more).toEqual([]);
  expect(receipt).toContain(`receipt ${payment.receiptNumber}`);
  expect(receipt).toContain('Your deposit of €1,000.00 for “Volvo 145”');
  for (const one of [garage.owner, manager])
    expect(await subjects(one)).toEqual(['A payment for “Volvo 145” has come']);
  expect(await got(agent)).toEqual([]);
});

test('what waits to be captured says until when, once more a day before, and when it was let go', async () => {
  const { id } = await pay({ listingId: await listed(), captureMethod: 'manual' });
  expect(await got(buyer)).toEqual([]);
  const soon = new Date(Date.now() + 3_600_000);
  await collection('payments').updateOne({ _id: id }, { $set: { endsAt: soon } });
  await world.stack.runJob('identity.payment-expiry-notices');
  expect(await subjects(manager)).toEqual([
    'A payment for “Volvo 145” waits for you',
    'The payment for “Volvo 145” ends soon',
  ]);
  await call('POST', `/payments/${id}/cancel`, garage.owner);
  expect(await subjects(buyer)).toEqual(['Nothing was taken for “Volvo 145”']);
});

test('who gives up himself, or tries another card, is not written to', async () => {
  const { id } = await pay({ listingId: await listed() }, 'declined');
  await call('POST', `/payments/${id}/cancel`, buyer);
  for (const one of [buyer, garage.owner]) expect(await got(one)).toEqual([]);
});

test('a refund and the way of a dispute are told to whom they concern, with the time to answer', async () => {
  const paymentId = await sell();
  const amount = { amount: 2300, currency: 'EUR' };
  await call('POST', `/payments/${paymentId}/refunds`, garage.owner, { reason: 'other', amount });
  expect((await got(buyer))[0]).toContain('you get €23.00 back');
  const { body } = await call('POST', `/payments/${paymentId}/disputes`, buyer, {
    reason: 'other',
    text: 'secret words',
  });
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(body.respondBy),
  );
  const [opened] = await got(manager);
  expect(opened).toContain(`Say by ${day}`);
  expect(opened).toContain('€100.00 of your balance');
  expect(opened).not.toContain('secret');
  const won = { outcome: 'won', statement: 'secret reasons' };
  await call('POST', `/admin/disputes/${body.id}/resolve`, finance, won);
  const decided = 'The dispute about “Volvo 145” is decided';
  expect(await subjects(buyer)).toEqual(['Money back for “Volvo 145”', decided]);
  expect(await subjects(garage.owner)).toEqual(['A buyer disputes the payment for “Volvo 145”', decided]);
  expect((await got(buyer)).join()).toContain('was decided for the dealer');
});

test('a payout that goes, or fails, is told to owners', async () => {
  await call('POST', `/dealers/${garage.id}/payout-account/onboarding-links`, garage.owner);
  const account = await collection('payout_accounts').findOne({ dealerId: garage.id });
  const sayOfAccount = (status: string) =>
    collection('provider_objects').updateOne({ _id: String(account?.ref) }, { $set: { status } });
  await sayOfAccount('active');
  await collection('dealers').updateOne({ _id: garage.id }, { $set: { 'payout.accountState': 'active' } });
  await sell();
  const payOut = async (amount: number) => {
    const money = { amount: { amount, currency: 'EUR' } };
    const { body } = await call('POST', `/dealers/${garage.id}/payouts`, garage.owner, money);
    await collection('payouts').updateOne({ _id: body.id }, { $set: { dueAt: new Date(0) } });
    await world.stack.runJob('identity.payouts');
  };
  await payOut(6000);
  const [sent] = await subjects(garage.owner);
  expect(sent).toContain('€60.00 are on the way to');
  await sayOfAccount('rejected');
  await payOut(5300);
  const [failed] = (await got(garage.owner)).filter((mail) => !mail.startsWith(String(sent)));
  expect(failed).toContain('The bank has not taken the payout of €53.00');
  expect(await got(manager)).toEqual([]);
});

test('nobody is written to twice of one thing, however often the event is worked on', async () => {
  await pay({ listingId: await listed() });
  expect(await got(buyer)).toHaveLength(1);
  const { deletedCount } = await collection('relay_cursors').deleteMany({ _id: paymentMails.name });
  expect(deletedCount).toBe(1);
  // Another process, which knows nothing of how far this one has come; later tests go on under its fence.
  await world.stack.runJob(paymentMails.name, (fence += 1));
  expect(await collection('relay_cursors').findOne({ _id: paymentMails.name })).not.toBeNull();
  expect(await got(buyer)).toHaveLength(1);
});

test('who has turned mails about payments off, is suspended, or is erased, gets none', async () => {
  const paymentId = await sell();
  const users = scoped(UserModel, market.installation.id);
  await users.findOneAndUpdate(
    { _id: manager.id },
    { $set: { 'notificationPreferences.payment': { email: false, inApp: true } } },
  );
  await users.findOneAndUpdate({ _id: garage.owner.id }, { $set: { state: 'suspended' } });
  await call('POST', `/payments/${paymentId}/disputes`, buyer, { reason: 'other', text: 'Broken.' });
  for (const one of [manager, garage.owner]) expect(await got(one)).toEqual([]);
  await users.findOneAndUpdate({ _id: buyer.id }, { $set: { state: 'unverified' } });
  const { platform } = world.stack;
  const erasure = { platform, installationId: market.installation.id, userId: buyer.id, job: 'test' };
  expect(await eraseUser(erasure, { state: 'unverified' })).toBe('erased');
  const refund = await call('POST', `/payments/${paymentId}/refunds`, manager, { reason: 'other' });
  expect(refund.status).toBe(409);
  await look();
  expect(await world.stack.mailsTo(buyer.email)).toEqual([]);
});

test('ten payments cost as many commands as one', async () => {
  const paymentMethodId = await keepCard(world.stack, market.installation, buyer, 'succeeds');
  const many = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const input = { purpose: 'deposit', paymentMethodId, listingId: await listed() };
      expect((await call('POST', '/payments', buyer, input)).status).toBe(201);
    }
    await world.stack.runJob('identity.relay');
    return commandsOf(() => world.stack.runJob(paymentMails.name, fence));
  };
  await many(1);
  expect(await many(10)).toEqual(await many(1));
});
