import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { product } from '../../../../test/support/product.ts';
import { encodeRefreshToken } from '../../../platform/credentials/refreshToken.ts';
import { SessionModel } from '../session/model.ts';
import { verifyPassword } from '../user/hashPassword.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import { completeSignIn } from './completeSignIn.ts';

const { market, stack } = product();
const minute = 60_000;
const day = 24 * 60 * minute;

const signIn = (username: string, secret = password, more = {}) =>
  market.visitor.issueToken({ grantType: 'password', username, password: secret, ...more });
const refresh = (refreshToken: string | null | undefined) =>
  market.visitor.issueToken({ grantType: 'refresh_token', refreshToken: refreshToken ?? '' });
const users = () => market.records(UserModel);
const sessions = () => market.records(SessionModel);
const stored = (sessionId: string) => sessions().findOne({ _id: sessionId });
const liveSessions = async (userId: string) =>
  (await sessions().find({ userId, revokedAt: null })).map(({ _id }) => _id);

test('a sign-in with a password opens a session that stores the client and its network', async () => {
  const user = await market.user({ password });
  const { tokens } = await signIn(`  ${user.email.toUpperCase()} `);
  const me = await market.caller(tokens.accessToken).me({}, 'id session { id amr }');
  expect(me).toEqual({ id: user.id, session: { id: tokens.sessionId, amr: ['pwd'] } });
  expect(await stored(tokens.sessionId)).toMatchObject({
    clientId: 'first-party',
    userAgent: 'jest',
    ipPrefix: '192.0.2.0/24',
    refreshCounter: 0,
    revokedAt: null,
  });
});

test('a sign-in with a wrong password, an unknown account or an invalid address is refused with the same error', async () => {
  const { email } = await market.user({ password });
  const deleted = await market.user({ password, state: 'deleted' });
  const withoutPassword = await market.user();
  for (const [username, secret] of [
    [email, 'wrong'],
    ['nobody@example.test', password],
    ['no address', password],
    [deleted.email, password],
    [withoutPassword.email, 'x'],
  ] as const)
    expect(await signIn(username, secret)).toBeRefused(401, 'invalid_credentials', {
      detail: 'The email address or password is wrong.',
      error: 'invalid_grant',
    });
});

test('verifying a password takes the same time whether the account exists or not', async () => {
  const { secrets } = stack.platform;
  const { id } = await market.user({ password });
  const record = await users().findOne({ _id: id });
  const time = async (hash: string | null): Promise<number> => {
    const start = performance.now();
    await verifyPassword(secrets, hash, 'wrong');
    return performance.now() - start;
  };
  await time(null);
  const times: { known: number; unknown: number }[] = [];
  for (let round = 0; round < 15; round += 1)
    times.push({ known: await time(record?.passwordHash ?? null), unknown: await time(null) });
  // The medians of alternating rounds, because a busy machine delays both in the same way.
  const median = (values: number[]): number => values.sort((a, b) => a - b)[7] ?? 0;
  const ratio = median(times.map(({ unknown }) => unknown)) / median(times.map(({ known }) => known));
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

test('a sign-in with the old password during its change leaves no session', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await market.user({ password });
    const [changed] = await Promise.all([
      user.changePassword({ currentPassword: password, newPassword: `another-${password}` }),
      ...Array.from({ length: 6 }, () => signIn(user.email)),
    ]);
    expect(changed).not.toBeRefused();
    expect(await liveSessions(user.id)).toEqual([user.sessionId]);
  }
});

test.each([
  ['password was changed', { passwordHash: 'another' }],
  ['account was erased', { state: 'deleted' }],
] as const)(
  'a sign-in whose password was verified before the %s is refused and leaves no session',
  async (_, set) => {
    const user = await market.user({ password });
    const proven = (await users().findOne({ _id: user.id })) as UserRecord;
    await users().findOneAndUpdate({ _id: user.id }, { $set: set });
    const refused = completeSignIn(stack.contextFor(market), proven, { amr: ['pwd'] });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await liveSessions(user.id)).toEqual([user.sessionId]);
  },
);

test('the previous refresh token returns the current one again for 30 seconds', async () => {
  const user = await market.user();
  const first = (await refresh(user.refreshToken)).tokens;
  stack.advance(29_000);
  const again = (await refresh(user.refreshToken)).tokens;
  expect(again.refreshToken).toBe(first.refreshToken);
  expect(again.accessToken).not.toBe(first.accessToken);
});

test.each([
  ['using the previous refresh token after 30 seconds', 1, 31_000],
  ['using an older refresh token', 2, 0],
])('%s ends the session and all of its tokens', async (_, rotations, wait) => {
  const user = await market.user();
  let { tokens } = await refresh(user.refreshToken);
  for (let rotation = 1; rotation < rotations; rotation += 1)
    tokens = (await refresh(tokens.refreshToken)).tokens;
  stack.advance(wait);
  const reused = await refresh(user.refreshToken);
  expect(reused).toBeRefused(401, 'refresh_token_reused', { error: 'invalid_grant' });
  expect(await stored(user.sessionId)).toMatchObject({ revokeReason: 'refresh_token_reused' });
  expect(await refresh(tokens.refreshToken)).toBeRefused(401, 'refresh_token_invalid');
  expect(await market.caller(tokens.accessToken).me()).toBeRefused(401, 'session_revoked');
});

test('a session expires 30 days after its last use and 90 days after the sign-in', async () => {
  const idle = await market.user();
  stack.advance(30 * day + 1);
  expect(await refresh(idle.refreshToken)).toBeRefused(401, 'refresh_token_invalid');
  let refreshToken: string | null | undefined = (await market.user()).refreshToken;
  for (let week = 0; week < 12; week += 1) {
    stack.advance(7 * day);
    ({ refreshToken } = (await refresh(refreshToken)).tokens);
  }
  const last = (await refresh(refreshToken)).tokens;
  expect(last.refreshExpiresIn).toBeLessThanOrEqual(6 * 86_400);
  stack.advance(6 * day + minute);
  expect(await refresh(last.refreshToken)).toBeRefused(401, 'refresh_token_invalid');
});

test('a refresh token that is signed with another key is refused and does not end the session', async () => {
  const { sessionId, refreshToken } = await market.user();
  const forged = encodeRefreshToken(Buffer.alloc(32, 1), { sessionId, counter: 0 });
  expect(await refresh(forged)).toBeRefused(401, 'refresh_token_invalid', { error: 'invalid_grant' });
  expect(await refresh(refreshToken)).not.toBeRefused();
});

test.each(['refreshToken', 'token'] as const)(
  'revoking the %s ends the session immediately',
  async (member) => {
    const user = await market.user();
    expect(await user.me()).not.toBeRefused();
    expect(await market.visitor.revokeToken({ token: user[member] })).toEqual({ revoked: true });
    expect(await user.me()).toBeRefused(401, 'session_revoked');
    expect(await refresh(user.refreshToken)).toBeRefused(401, 'refresh_token_invalid');
    expect(await stored(user.sessionId)).toMatchObject({ revokeReason: 'logout' });
  },
);

test('revoking a refresh token that was replaced ends the session', async () => {
  const user = await market.user();
  const { accessToken } = (await refresh(user.refreshToken)).tokens;
  await market.visitor.revokeToken({ token: user.refreshToken, tokenTypeHint: 'refresh_token' });
  expect(await market.caller(accessToken).me()).toBeRefused(401, 'session_revoked');
});
