import { concurrently } from '../../../../test/support/concurrently.ts';
import { activateFactor } from '../../../../test/support/people/secondFactor.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import type { Refusal } from '../../../../test/support/Refusal.ts';
import { type SeededUser } from '../../../../test/support/seed.ts';

const { market, neighbour, stack } = product();
const minute = 60_000;
const user = perTest(() => market.user({ password }));

const signIn = ({ email }: SeededUser, more = {}, { visitor } = market) =>
  visitor.issueToken({ grantType: 'password', username: email, password, ...more });
const refresh = (refreshToken = '') =>
  market.visitor.issueToken({ grantType: 'refresh_token', refreshToken });
const secondStep = (first: unknown, code: object, { visitor } = market) =>
  visitor.issueToken({
    grantType: 'urn:marketplace:mfa-otp',
    mfaToken: String((first as Refusal).problem?.mfaToken),
    ...code,
  });
const sessionOf = async (token: string) => {
  const { session } = await market.caller(token).me({}, 'session { id authTime amr }');
  return { ...session, at: Date.parse(String(session?.authTime)) };
};

test('a sign-in that renews a session keeps its id, updates its time and rotates its token', async () => {
  const before = await sessionOf(user.token);
  stack.advance(5 * minute);
  const { tokens } = await signIn(user, { linkSession: user.refreshToken });
  expect(tokens.sessionId).toBe(user.sessionId);
  expect(tokens.refreshToken).not.toBe(user.refreshToken);
  expect((await sessionOf(tokens.accessToken)).at - before.at).toBeGreaterThanOrEqual(5 * minute - 1000);
  const { nodes } = await market.caller(tokens.accessToken).mySessions({}, 'nodes { id }');
  expect(nodes).toEqual([{ id: user.sessionId }]);
});

test('a session that was opened with a second factor can only be renewed with it', async () => {
  const { app } = await activateFactor({ ...market, stack, as: user });
  const otp = () => app.code(stack.platform.now());
  const { tokens: opened } = await secondStep(await signIn(user), { otp: otp() });
  stack.advance(11 * minute);
  const refused = await signIn(user, { linkSession: opened.refreshToken });
  expect(refused).toBeRefused(401, 'mfa_required');
  const { refreshToken } = (await refresh(opened.refreshToken ?? '')).tokens;
  const renewed = await secondStep(await signIn(user), { otp: otp(), linkSession: refreshToken });
  expect(renewed.tokens.sessionId).toBe(opened.sessionId);
  const session = await sessionOf(renewed.tokens.accessToken);
  expect(session.amr).toEqual(['pwd', 'otp']);
  expect(Math.abs(session.at - stack.platform.now())).toBeLessThan(5000);
});

test('a sign-in that renews a session of another user, an ended one or an invalid token is refused', async () => {
  const [other, ended] = [await market.user(), await market.user({ password })];
  await market.visitor.revokeToken({ token: ended.refreshToken });
  for (const [person, linkSession] of [
    [user, other.refreshToken],
    [ended, ended.refreshToken],
    [user, user.token],
    [user, 'x'],
  ] as const) {
    const refused = await signIn(person, { linkSession });
    expect(refused).toBeRefused(401, 'refresh_token_invalid', { error: 'invalid_grant' });
  }
  expect(await refresh(other.refreshToken)).not.toBeRefused();
});

test('concurrent sign-ins that renew a session return the same refresh token', async () => {
  const linkSession = user.refreshToken;
  const answers = await concurrently(10, () => signIn(user, { linkSession }));
  expect(new Set(answers.map(({ tokens }) => tokens.refreshToken)).size).toBe(1);
  expect(new Set(answers.map(({ tokens }) => tokens.sessionId))).toEqual(new Set([user.sessionId]));
});

test('a sign-in that renews a session with a replaced token is refused as a reuse', async () => {
  await refresh(user.refreshToken);
  stack.advance(minute);
  const reused = await signIn(user, { linkSession: user.refreshToken });
  expect(reused).toBeRefused(401, 'refresh_token_reused');
});

test('a user whose role requires a second factor has its permissions after enrolling and using one', async () => {
  const strict = await neighbour({ settings: { mfaRequiredRoles: ['moderator'] } });
  const moderator = await strict.user({ password, roles: ['buyer', 'moderator'] });
  expect(await moderator.listings()).toBeRefused(401, 'mfa_required');
  expect(await moderator.me({}, 'permissions mfa { enabled requiredByRole }')).toEqual({
    permissions: [],
    mfa: { enabled: false, requiredByRole: true },
  });
  const { app } = await activateFactor({ ...strict, stack, as: moderator });
  expect(await moderator.listings()).toBeRefused(401, 'mfa_required');
  const code = { otp: app.code(stack.platform.now()), linkSession: moderator.refreshToken };
  const { tokens } = await secondStep(await signIn(moderator, {}, strict), code, strict);
  expect(tokens.sessionId).toBe(moderator.sessionId);
  const renewed = strict.caller(tokens.accessToken);
  expect(await renewed.listings()).not.toBeRefused();
  expect((await renewed.me({}, 'permissions')).permissions).toContain('listings:moderate');
});
