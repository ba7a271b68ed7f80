import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { UserModel } from '../user/model.ts';

const { market, stack } = product();
const newPassword = 'new-plum-tractor-8-cello';
const user = perTest(() => market.user({ password }));

const change = (input: object = {}, by: Pick<SeededUser, 'changePassword'> = user) =>
  by.changePassword({ currentPassword: password, newPassword, ...input });
const signIn = (secret: string, { email } = user) =>
  market.visitor.issueToken({ grantType: 'password', username: email, password: secret });

test('a change of the password replaces it and sends a mail', async () => {
  expect(await change()).not.toBeRefused();
  expect(await signIn(password)).toBeRefused(401, 'invalid_credentials');
  expect(await signIn(newPassword)).not.toBeRefused();
  expect(await stack.mailsTo(user.email)).toHaveLength(1);
});

test('a change of the password ends every other session immediately', async () => {
  const { tokens } = await signIn(password);
  const other = market.caller(tokens.accessToken);
  expect(await other.me()).not.toBeRefused();
  expect(await change()).toEqual({ revokedSessionIds: [tokens.sessionId] });
  expect(await other.me()).toBeRefused(401, 'session_revoked');
  expect(await user.me()).not.toBeRefused();
});

test('a change of the password cancels an earlier change of address', async () => {
  const email = `${unique('intruder')}@example.test`;
  expect(await user.changeEmail({ email })).not.toBeRefused();
  const [mail] = await stack.mailsTo(email);
  const token = new URL(mail?.link ?? '').hash.replace('#token=', '');
  expect(await change()).not.toBeRefused();
  expect(await market.visitor.confirmEmailVerification({ token })).toBeRefused(404, 'not_found');
});

test.each(['not-it-at-all', undefined, null, ''])(
  'a change of the password with the current password %j is refused',
  async (currentPassword) => {
    const code = 'invalid_current_password';
    const errors = [{ pointer: '#/currentPassword', code }];
    expect(await change({ currentPassword })).toBeRefused(422, code, { errors });
    expect(await signIn(password)).not.toBeRefused();
  },
);

test.each([
  ['weak_password', 'short'],
  ['weak_password', 'Password1'],
  ['same_password', password],
])('a new password is refused with %s: %s', async (code, secret) => {
  const errors = [{ pointer: '#/newPassword', code }];
  expect(await change({ newPassword: secret })).toBeRefused(422, code, { errors });
});

test('wrong current passwords and failed sign-ins share one limit', async () => {
  for (let attempt = 0; attempt < 3; attempt += 1) await change({ currentPassword: 'guess' });
  for (let attempt = 0; attempt < 2; attempt += 1) await signIn('guess');
  const retryAfter = expect.any(Number);
  expect(await change()).toBeRefused(429, 'too_many_attempts', { retryAfter });
  expect(await signIn(password)).toBeRefused(429, 'too_many_attempts');
});

test('an account without a password can set one only after a recent sign-in', async () => {
  const old = await market.user();
  stack.advance(11 * 60_000);
  const refresh = { grantType: 'refresh_token', refreshToken: old.refreshToken };
  const { tokens } = await market.visitor.issueToken(refresh);
  const input = { currentPassword: undefined };
  const refused = await change(input, market.caller(tokens.accessToken));
  expect(refused).toBeRefused(401, 'reauthentication_required');
  const recent = await market.user();
  expect(await change(input, recent)).not.toBeRefused();
  expect(await signIn(newPassword, recent)).not.toBeRefused();
});

test('one of twenty concurrent changes of the password succeeds, with one mail', async () => {
  const secrets = Array.from({ length: 20 }, (_, index) => `${newPassword}-${index}`);
  const answers = await Promise.all(secrets.map((secret) => change({ newPassword: secret })));
  const changed = secrets.filter((_, index) => !isRefused(answers[index]));
  expect(changed).toHaveLength(1);
  expect(await signIn(changed[0] ?? '')).not.toBeRefused();
  expect(await stack.mailsTo(user.email)).toHaveLength(1);
  expect((await market.records(UserModel).findOne({ _id: user.id }))?.version).toBe(2);
});
