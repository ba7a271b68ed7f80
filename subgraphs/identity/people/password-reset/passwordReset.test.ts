import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { openMailbox } from '../mail-link/fixture/openMailbox.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const { tokensTo, tokenTo, kindsTo } = openMailbox(world);
const [oldPassword, newPassword] = ['plum-tractor-9-violin', 'grey-walnut-4-harbour'];

const request = (email: string) => market.visitor.requestPasswordReset({ email });
const reset = (token: string, password = newPassword, { visitor } = market) =>
  visitor.confirmPasswordReset({ token, password });
const confirmEmail = (token: string) => market.visitor.confirmEmailVerification({ token });
const signIn = (username: string, password: string) =>
  market.visitor.issueToken({ grantType: 'password', username, password });
const users = () => market.records(UserModel);

async function requested(options: Parameters<typeof market.user>[0] = {}) {
  const user = await market.user({ password: oldPassword, ...options });
  await request(user.email);
  const token = await tokenTo(user.email);
  expect(token).toMatch(/^[\w-]{43}$/);
  return { user, token };
}

test('a password reset replaces the password, ends every session and sends a mail', async () => {
  const { user, token } = await requested();
  const { tokens } = await signIn(user.email, oldPassword);
  expect(await reset(token)).toEqual({ reset: true });
  for (const session of [user, market.caller(tokens.accessToken)])
    expect(await session.me()).toBeRefused(401, 'session_revoked');
  expect(await signIn(user.email, oldPassword)).toBeRefused(401, 'invalid_credentials');
  expect(await signIn(user.email, newPassword)).not.toBeRefused();
  expect(await kindsTo(user.email)).toEqual(['resetPassword', 'passwordChanged']);
});

test('one of 20 concurrent resets with the same link succeeds, and the others are refused as used', async () => {
  const { user, token } = await requested();
  const passwords = Array.from({ length: 20 }, (_, index) => `grey-walnut-${index}-harbour`);
  const answers = await Promise.all(passwords.map((password) => reset(token, password)));
  expect(answers).toBeRefusedTimes(19, 410, 'token_consumed');
  const winner = passwords.find((_, index) => !isRefused(answers[index])) ?? '';
  expect(await signIn(user.email, winner)).not.toBeRefused();
});

test('resets with a used link are refused without hashing a password', async () => {
  const { token } = await requested();
  expect(await reset(token)).toEqual({ reset: true });
  // More than can be hashed within the maximum queueing delay of a hash.
  const answers = await concurrently(150, () => reset(token));
  expect(answers).toBeRefusedTimes(150, 410, 'token_consumed');
});

test('a password reset removes the limit of failed sign-ins', async () => {
  const { user, token } = await requested();
  for (let attempt = 0; attempt < 6; attempt += 1) await signIn(user.email, 'wrong');
  expect(await signIn(user.email, oldPassword)).toBeRefused(429, 'too_many_attempts');
  expect(await reset(token)).not.toBeRefused();
  expect(await signIn(user.email, newPassword)).not.toBeRefused();
});

test('a confirmation link of the address stays valid after a password reset', async () => {
  const { email } = await market.user({ emailVerified: false });
  await market.visitor.requestEmailVerification({ email });
  const confirmation = await tokenTo(email);
  await request(email);
  expect(await reset(await tokenTo(email))).not.toBeRefused();
  expect(await confirmEmail(confirmation)).not.toBeRefused();
});

test('a link of a password reset expires after 30 minutes', async () => {
  const { user, token } = await requested();
  world.stack.advance(30 * 60_000);
  expect(await reset(token)).toBeRefused(404, 'not_found');
  expect(await signIn(user.email, oldPassword)).not.toBeRefused();
});

test('every link of a password reset is valid until one is used or the password is changed', async () => {
  const { user, token: first } = await requested();
  await request(user.email);
  expect(await reset(await tokenTo(user.email))).not.toBeRefused();
  expect(await reset(first)).toBeRefused(404, 'not_found');
  const { user: other, token } = await requested();
  await users().findOneAndUpdate({ _id: other.id }, { $set: { passwordHash: 'changed otherwise' } });
  expect(await reset(token)).toBeRefused(404, 'not_found');
});

test('a password reset cancels an earlier change of address', async () => {
  const { user, token } = await requested();
  const email = `${unique('intruder')}@example.test`;
  await user.changeEmail({ email });
  const stolen = await tokenTo(email);
  expect(await reset(token)).not.toBeRefused();
  expect(await confirmEmail(stolen)).toBeRefused(404, 'not_found');
});

test('a password reset with a weak password is refused, and its link stays valid', async () => {
  const { token } = await requested({ displayName: 'Marlene' });
  const errors = [{ pointer: '#/password' }];
  for (const weak of ['a1b2c3d', 'Password1', 'xx-Marlene-xx'])
    expect(await reset(token, weak)).toBeRefused(422, 'weak_password', { errors });
  expect(await reset(token)).not.toBeRefused();
});

test('an invented reset token, one of another installation and one for another purpose are refused', async () => {
  for (const invented of ['', 'x', 'a'.repeat(43), '{"$gt":""}'])
    expect(await reset(invented)).toBeRefused(404, 'not_found');
  const { token } = await requested();
  expect(await reset(token, newPassword, await world.neighbour())).toBeRefused(404, 'not_found');
  expect(await confirmEmail(token)).toBeRefused(404, 'not_found');
  expect(await reset(token)).not.toBeRefused();
});

test('requesting a password reset has the same response and cost for every address, and only accounts receive a mail', async () => {
  const { email } = await market.user({ password: oldPassword });
  const others = [(await market.user({ state: 'deleted' })).email, `${unique('nobody')}@example.test`];
  for (const address of [email, ...others]) {
    const commands = await commandsOf(async () => expect(await request(address)).toEqual({ accepted: true }));
    expect(commands).toEqual(['insert account_requests']);
  }
  expect(await tokensTo(email)).toHaveLength(1);
  for (const address of others) expect(await tokensTo(address)).toEqual([]);
  expect(await request('nobody')).toBeInvalid('#/email');
});

test.each(['suspended', 'deletion_scheduled', 'unverified'] as const)(
  'a password reset keeps the state of an account that is %s',
  async (state) => {
    const { user, token } = await requested({ state });
    expect(await reset(token)).not.toBeRefused();
    expect((await users().findOne({ _id: user.id }))?.state).toBe(state);
  },
);

test('a password reset sets the password of an account without one', async () => {
  const { email } = await market.user();
  await request(email);
  expect(await reset(await tokenTo(email))).not.toBeRefused();
  expect(await signIn(email, newPassword)).not.toBeRefused();
});
