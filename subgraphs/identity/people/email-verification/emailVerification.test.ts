import { concurrently } from '../../../../test/support/concurrently.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { product } from '../../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { openMailbox } from '../mail-link/fixture/openMailbox.ts';
import { readEverything } from '../mail-link/fixture/readEverything.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const { tokensTo, tokenTo, kindsTo } = openMailbox(world);
const hourMs = 3_600_000;

const confirm = (token: string, { visitor } = market) => visitor.confirmEmailVerification({ token });
const resend = (email: string) => market.visitor.requestEmailVerification({ email });
const newAddress = () => `${unique('new')}@example.test`;
const stored = (id: string) => market.records(UserModel).findOne({ _id: id });
const emailOf = async ({ id }: { id: string }) => (await stored(id))?.email;

async function registered(members: object = {}) {
  const email = newAddress();
  const input = { email, password, displayName: 'New', ...members };
  const { userId, tokens } = (await market.visitor.register(input)).registration;
  return { id: userId ?? '', email, caller: market.caller(tokens?.accessToken ?? '') };
}

async function withChange(options: Parameters<typeof market.user>[0] = {}) {
  const user = await market.user(options);
  const email = newAddress();
  const { change } = await user.changeEmail({ email });
  return { user, email, change };
}

test('a registration sends a link that activates the account once', async () => {
  const { email, caller } = await registered({ locale: 'de' });
  const [mail] = await world.stack.mailsTo(email);
  expect(mail).toMatchObject({ kind: 'verifyEmail', language: 'de' });
  const token = await tokenTo(email);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await readEverything()).not.toContain(token);
  expect(await caller.me()).toMatchObject({ state: 'UNVERIFIED', emailVerified: false });
  expect(await confirm(token)).toEqual({ purpose: 'REGISTRATION' });
  expect(await caller.me()).toMatchObject({ state: 'ACTIVE', emailVerified: true });
  expect(await confirm(token)).toBeRefused(410, 'token_consumed');
});

test('a registration with a taken address sends no mail', async () => {
  const { email } = await registered();
  const again = await market.visitor.register({ email, password, displayName: 'Two' });
  expect(again).toBeRefused(409, 'email_taken');
  expect(await world.stack.mailsTo(email)).toHaveLength(1);
});

test('one of fifty concurrent confirmations with the same token succeeds', async () => {
  const { id, email } = await registered();
  const token = await tokenTo(email);
  expect(await concurrently(50, () => confirm(token))).toBeRefusedTimes(49, 410, 'token_consumed');
  const stateHistory = [{ by: 'register' }, { by: 'confirmEmailVerification' }];
  expect(await stored(id)).toMatchObject({ stateHistory, version: 2 });
});

test('a confirmation link expires after 24 hours, and a later link confirms the address', async () => {
  const [one, other] = [await registered(), await registered()];
  const [early, late] = [await tokenTo(one.email), await tokenTo(other.email)];
  world.stack.advance(24 * hourMs - 60_000);
  expect(await confirm(early)).not.toBeRefused();
  world.stack.advance(60_000);
  expect(await confirm(late)).toBeRefused(404, 'not_found');
  await resend(other.email);
  expect(await confirm(await tokenTo(other.email))).not.toBeRefused();
});

test('an invented confirmation token and a link of another installation are refused', async () => {
  for (const token of ['', 'x', 'a'.repeat(43), 'ä'.repeat(5000), '{"$gt":""}'])
    expect(await confirm(token)).toBeRefused(404, 'not_found');
  const token = await tokenTo((await registered()).email);
  expect(await confirm(token, await world.neighbour())).toBeRefused(404, 'not_found');
  expect(await confirm(token)).not.toBeRefused();
});

test.each(['suspended', 'deletion_scheduled'] as const)(
  'a confirmation of the address keeps the state of an account that is %s',
  async (state) => {
    const user = await market.user({ state, emailVerified: false });
    await resend(user.email);
    expect(await confirm(await tokenTo(user.email))).not.toBeRefused();
    expect(await stored(user.id)).toMatchObject({ state, emailVerified: true, version: 2 });
  },
);

test('requesting a further link has the same response and cost for unconfirmed, confirmed and missing accounts', async () => {
  const [waiting, confirmed, unknown] = [
    (await registered()).email,
    (await market.user()).email,
    newAddress(),
  ];
  for (const email of [waiting, confirmed, unknown]) {
    const commands = await commandsOf(async () => expect(await resend(email)).toEqual({ accepted: true }));
    expect(commands).toEqual(['insert account_requests']);
  }
  await world.stack.runJob('identity.account-requests');
  expect(await kindsTo(waiting)).toEqual(['verifyEmail', 'verifyEmail']);
  for (const email of [confirmed, unknown]) expect(await kindsTo(email)).toEqual([]);
});

test('a further link can be requested with any spelling of the address, and every link is valid', async () => {
  const { id, email } = await registered();
  await resend(` ${email.toUpperCase()} `);
  const [first = '', second = ''] = await tokensTo(email);
  expect(first).not.toBe(second);
  for (const token of [first, second]) expect(await confirm(token)).not.toBeRefused();
  expect(await stored(id)).toMatchObject({ state: 'active' });
});

test('concurrent requests for a further link send one mail', async () => {
  const { email } = await registered();
  await concurrently(10, () => resend(email));
  await Promise.all([1, 2, 3].map(() => world.stack.runJob('identity.account-requests')));
  expect(await tokensTo(email)).toHaveLength(2);
});

test('a change of address applies after its confirmation, keeps the session and informs the old address', async () => {
  const { user, email, change } = await withChange();
  expect(change).toEqual({ email, expiresAt: expect.any(String) });
  expect(await emailOf(user)).toBe(user.email);
  expect(await kindsTo(user.email)).toEqual(['emailChangeRequested']);
  const token = await tokenTo(email);
  expect(JSON.stringify(await world.stack.mailsTo(user.email))).not.toContain(token);
  expect(await confirm(token)).toEqual({ purpose: 'CHANGE' });
  expect(await user.me()).toMatchObject({ email, state: 'ACTIVE' });
  const [, mail] = await world.stack.mailsTo(user.email);
  expect(mail).toMatchObject({ kind: 'emailChanged' });
  expect(mail?.text).not.toContain(email);
  const events = await market.audits({ 'target.id': user.id });
  expect(events.map(({ action, actor }) => [action, actor.id])).toEqual([
    ['changeEmail', user.id],
    ['confirmEmailVerification', user.id],
  ]);
});

test('a change of an unconfirmed address activates the account and invalidates the first link', async () => {
  const user = await registered();
  const first = await tokenTo(user.email);
  const email = newAddress();
  await user.caller.changeEmail({ email });
  expect(await confirm(await tokenTo(email))).not.toBeRefused();
  expect(await stored(user.id)).toMatchObject({ email, state: 'active', emailVerified: true });
  expect(await confirm(first)).toBeRefused(404, 'not_found');
});

test('a change of address invalidates links that were sent to the old one', async () => {
  const { user, email } = await withChange({ password });
  await market.visitor.requestPasswordReset({ email: user.email });
  const [token = ''] = await tokensTo(user.email);
  expect(await confirm(await tokenTo(email))).not.toBeRefused();
  const reset = await market.visitor.confirmPasswordReset({ token, password: 'grey-walnut-4-harbour' });
  expect(reset).toBeRefused(404, 'not_found');
});

test('a later change of address replaces an earlier one', async () => {
  const { user, email } = await withChange();
  const first = await tokenTo(email);
  const later = newAddress();
  await user.changeEmail({ email: later });
  expect(await confirm(first)).toBeRefused(404, 'not_found');
  expect(await confirm(await tokenTo(later))).not.toBeRefused();
  expect(await emailOf(user)).toBe(later);
});

test('a change to a taken address is refused, at the request or at the confirmation', async () => {
  const other = await market.user();
  const { user, email } = await withChange();
  expect(await user.changeEmail({ email: other.email.toUpperCase() })).toBeRefused(409, 'email_taken');
  const token = await tokenTo(email);
  await market.user({ email });
  expect(await confirm(token)).toBeRefused(409, 'email_taken');
  expect(await emailOf(user)).toBe(user.email);
});

test('one of two users who change to the same address can confirm it', async () => {
  const users = [await market.user(), await market.user()];
  const email = newAddress();
  for (const user of users) await user.changeEmail({ email });
  const answers = await Promise.all((await tokensTo(email)).map((token) => confirm(token)));
  expect(answers).toBeRefusedTimes(1, 409, 'email_taken');
  expect((await Promise.all(users.map(emailOf))).filter((one) => one === email)).toHaveLength(1);
});

test.each([
  ['an invalid address', () => 'nobody'],
  ['a line break', () => 'a@exa\nmple.test'],
  ['the same address', ({ email }: SeededUser) => email.toUpperCase()],
])('a change of address to %s is refused', async (_, email) => {
  const user = await market.user();
  expect(await user.changeEmail({ email: email(user) })).toBeInvalid('#/email');
});
