import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { toIpPrefix } from '../../platform/context/toIpPrefix.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { encodeRefreshToken } from '../../platform/token/refreshToken.ts';
import { verifyPassword } from '../user/hashPassword.ts';
import { UserModel } from '../user/model.ts';
import { SessionModel } from './model.ts';

const world = product();
const { market } = world;
const minute = 60_000;
const day = 24 * 60 * minute;
const password = 'plum-tractor-9-violin';

const issue = `mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens {
  accessToken tokenType expiresIn refreshToken refreshExpiresIn scope sessionId
} } }`;
const revoke = `mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revoked } }`;

const run = (source: string, input: object, at = market) =>
  world.stack.execute(source, { input }, { installation: at.installation });
const signIn = (username: string, secret = password, at = market) =>
  run(issue, { grantType: 'password', username, password: secret }, at);
const refresh = (refreshToken: string, at = market) =>
  run(issue, { grantType: 'refresh_token', refreshToken }, at);
const tokensOf = (result: Awaited<ReturnType<typeof run>>) => {
  if (result.errors) throw result.errors[0];
  return result.data?.issueToken.tokens;
};
const me = (token: string, at = market) =>
  world.stack.execute(
    '{ me { id session { id authTime amr } } }',
    {},
    { as: token, installation: at.installation },
  );
const stored = (sessionId: string) =>
  scoped(SessionModel, market.installation.id).findOne({ _id: sessionId });

describe('signing in with a password', () => {
  test('issues tokens that the guards accept, and remembers where from', async () => {
    const user = await market.user({ password });
    const tokens = tokensOf(await signIn(`  ${user.email.toUpperCase()} `));
    expect(tokens).toMatchObject({
      tokenType: 'Bearer',
      expiresIn: 600,
      scope: 'user',
      refreshExpiresIn: 30 * 86_400,
    });
    expect((await me(tokens.accessToken)).data?.me).toMatchObject({
      id: user.id,
      session: { id: tokens.sessionId, amr: ['pwd'] },
    });
    expect(await stored(tokens.sessionId)).toMatchObject({
      clientId: 'first-party',
      userAgent: 'jest',
      ipPrefix: '192.0.2.0/24',
      refreshCounter: 0,
      revokedAt: null,
    });
  });

  test('keeps the name of the application', async () => {
    const user = await market.user({ password });
    const input = { grantType: 'password', username: user.email, password, clientId: 'ios-app' };
    expect(await stored(tokensOf(await run(issue, input)).sessionId)).toMatchObject({ clientId: 'ios-app' });
    expect(problemOf(await run(issue, { ...input, clientId: 'cli_01J' }))).toMatchObject({
      code: 'client_invalid',
    });
  });

  test('answers a wrong password, an unknown account and no address alike', async () => {
    const user = await market.user({ password });
    const elsewhere = await world.neighbour();
    const refused = { code: 'invalid_credentials', status: 401, error: 'invalid_grant' };
    const answers = [
      await signIn(user.email, 'wrong'),
      await signIn('nobody@example.test'),
      await signIn('no address'),
      await signIn(user.email, password, elsewhere),
    ].map(problemOf);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject(refused);
  });

  test('takes the same time whether the account exists or not', async () => {
    const { secrets } = world.stack.platform;
    const user = await market.user({ password });
    const record = await scoped(UserModel, market.installation.id).findOne({ _id: user.id });
    const time = async (hash: string | null): Promise<number> => {
      const start = performance.now();
      await verifyPassword(secrets, hash, 'wrong');
      return performance.now() - start;
    };
    await time(null);
    const times: { known: number; unknown: number }[] = [];
    for (let round = 0; round < 15; round += 1) {
      times.push({ known: await time(record?.passwordHash ?? null), unknown: await time(null) });
    }
    // Medians of alternating rounds: a busy machine delays both alike.
    const median = (values: number[]): number => values.sort((a, b) => a - b)[7] ?? 0;
    const ratio = median(times.map(({ unknown }) => unknown)) / median(times.map(({ known }) => known));
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('is refused to the deleted, and open to the suspended', async () => {
    const deleted = await market.user({ password, state: 'deleted' });
    const suspended = await market.user({ password, state: 'suspended' });
    expect(problemOf(await signIn(deleted.email))).toMatchObject({ code: 'invalid_credentials' });
    expect(tokensOf(await signIn(suspended.email)).scope).toBe('user');
  });

  test('is refused to an account without a password', async () => {
    const user = await market.user();
    expect(problemOf(await signIn(user.email, ''))).toMatchObject({ code: 'validation_failed' });
    expect(problemOf(await signIn(user.email, 'x'))).toMatchObject({ code: 'invalid_credentials' });
  });

  test.each([
    ['implicit', 'unsupported_grant_type', 400, 'unsupported_grant_type'],
    ['__proto__', 'unsupported_grant_type', 400, 'unsupported_grant_type'],
    ['password', 'validation_failed', 422, 'invalid_request'],
    ['refresh_token', 'validation_failed', 422, 'invalid_request'],
  ])('a bare grant type %s is refused as %s', async (grantType, code, status, error) => {
    expect(problemOf(await run(issue, { grantType }))).toMatchObject({ code, status, error });
  });
});

describe('failed sign-ins', () => {
  test('are slowed down after five, with the time to wait, for account and network together', async () => {
    const user = await market.user({ password });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(problemOf(await signIn(user.email, 'wrong'))).toMatchObject({ code: 'invalid_credentials' });
    }
    const slowed = problemOf(await signIn(user.email));
    expect(slowed).toMatchObject({ code: 'too_many_attempts', status: 429 });
    expect(slowed.retryAfter).toBeGreaterThan(0);
    expect(slowed.retryAfter).toBeLessThanOrEqual(900);
    const elsewhere = await market.user({ password });
    expect((await signIn(elsewhere.email)).errors).toBeUndefined();
    world.stack.advance(16 * minute);
    expect((await signIn(user.email)).errors).toBeUndefined();
  });

  test('are forgotten after a good one', async () => {
    const user = await market.user({ password });
    for (let round = 0; round < 2; round += 1) {
      for (let attempt = 0; attempt < 4; attempt += 1) await signIn(user.email, 'wrong');
      expect((await signIn(user.email)).errors).toBeUndefined();
    }
  });

  test('of an account that does not exist are slowed down just the same', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn('ghost@example.test');
    expect(problemOf(await signIn('ghost@example.test'))).toMatchObject({ code: 'too_many_attempts' });
  });

  test('made all at once use the budget up even for a right guess among the next ones', async () => {
    const user = await market.user({ password });
    await Promise.all(Array.from({ length: 12 }, (_, index) => signIn(user.email, `wrong ${index}`)));
    expect(problemOf(await signIn(user.email))).toMatchObject({ code: 'too_many_attempts' });
  });
});

describe('refreshing', () => {
  test('moves on to a new token and keeps the time of the sign-in', async () => {
    const user = await market.user();
    const before = (await me(user.token)).data?.me.session.authTime;
    world.stack.advance(5 * minute);
    const tokens = tokensOf(await refresh(user.refreshToken));
    expect(tokens.refreshToken).not.toBe(user.refreshToken);
    expect(tokens.sessionId).toBe(user.sessionId);
    expect((await me(tokens.accessToken)).data?.me.session.authTime).toBe(before);
    expect((await refresh(tokens.refreshToken)).errors).toBeUndefined();
  });

  test('answers the token before the current one again for 30 seconds', async () => {
    const user = await market.user();
    const first = tokensOf(await refresh(user.refreshToken));
    world.stack.advance(29_000);
    const again = tokensOf(await refresh(user.refreshToken));
    expect(again.refreshToken).toBe(first.refreshToken);
    expect(again.accessToken).not.toBe(first.accessToken);
  });

  test.each([
    ['the token before after 30 seconds', 1, 31_000],
    ['an older one at once', 2, 0],
  ])('with %s ends the session, its tokens and all', async (_, rotations, wait) => {
    const user = await market.user();
    let tokens = tokensOf(await refresh(user.refreshToken));
    for (let rotation = 1; rotation < rotations; rotation += 1)
      tokens = tokensOf(await refresh(tokens.refreshToken));
    world.stack.advance(wait);
    expect(problemOf(await refresh(user.refreshToken))).toMatchObject({
      code: 'refresh_token_reused',
      status: 401,
      error: 'invalid_grant',
    });
    expect(await stored(user.sessionId)).toMatchObject({ revokeReason: 'refresh_token_reused' });
    expect(problemOf(await refresh(tokens.refreshToken))).toMatchObject({ code: 'refresh_token_invalid' });
    expect(problemOf(await me(tokens.accessToken))).toMatchObject({ code: 'session_revoked', status: 401 });
  });

  test('ends 30 days after the last use, and 90 days after the sign-in', async () => {
    const idle = await market.user();
    world.stack.advance(30 * day + 1);
    expect(problemOf(await refresh(idle.refreshToken))).toMatchObject({ code: 'refresh_token_invalid' });
    const used = await market.user();
    let { refreshToken } = used;
    for (let week = 0; week < 12; week += 1) {
      world.stack.advance(7 * day);
      refreshToken = tokensOf(await refresh(refreshToken)).refreshToken;
    }
    const last = tokensOf(await refresh(refreshToken));
    expect(last.refreshExpiresIn).toBeLessThanOrEqual(6 * 86_400);
    world.stack.advance(6 * day + minute);
    expect(problemOf(await refresh(last.refreshToken))).toMatchObject({ code: 'refresh_token_invalid' });
  });

  test('refuses what is no token, forged, ahead of the session, or of another installation', async () => {
    const user = await market.user();
    const other = await world.neighbour();
    const { sessionId } = user;
    const forged = encodeRefreshToken(Buffer.alloc(32, 1), { sessionId, counter: 0 });
    const ahead = encodeRefreshToken(world.stack.platform.secrets.derive('refresh'), {
      sessionId,
      counter: 5,
    });
    for (const token of ['x', forged, ahead, user.token]) {
      expect(problemOf(await refresh(token))).toMatchObject({
        code: 'refresh_token_invalid',
        error: 'invalid_grant',
      });
    }
    expect(problemOf(await refresh(user.refreshToken, other))).toMatchObject({
      code: 'refresh_token_invalid',
    });
    expect((await refresh(user.refreshToken)).errors).toBeUndefined();
  });

  test('is refused once the account is deleted', async () => {
    const user = await market.user();
    await scoped(UserModel, market.installation.id).findOneAndUpdate(
      { _id: user.id },
      { $set: { state: 'deleted' } },
    );
    expect(problemOf(await refresh(user.refreshToken))).toMatchObject({ code: 'refresh_token_invalid' });
  });
});

describe('revoking', () => {
  const gone = { code: 'session_revoked', status: 401 };

  test.each(['refreshToken', 'token'] as const)('by %s ends the session at once', async (member) => {
    const user = await market.user();
    expect((await me(user.token)).errors).toBeUndefined();
    expect((await run(revoke, { token: user[member] })).data).toEqual({ revokeToken: { revoked: true } });
    expect(problemOf(await me(user.token))).toMatchObject(gone);
    expect(problemOf(await refresh(user.refreshToken))).toMatchObject({ code: 'refresh_token_invalid' });
    expect(await stored(user.sessionId)).toMatchObject({ revokeReason: 'logout' });
  });

  test('by a refresh token that was replaced ends the session, too', async () => {
    const user = await market.user();
    const { accessToken } = tokensOf(await refresh(user.refreshToken));
    await run(revoke, { token: user.refreshToken, tokenTypeHint: 'refresh_token' });
    expect(problemOf(await me(accessToken))).toMatchObject(gone);
  });

  test('of a token that nobody knows, or of another installation, answers the same and ends nothing', async () => {
    const user = await market.user();
    const other = await world.neighbour();
    const last = user.refreshToken.endsWith('_') ? 'A' : '_';
    for (const token of ['x', '', `${user.refreshToken.slice(0, -1)}${last}`]) {
      expect((await run(revoke, { token })).data).toEqual({ revokeToken: { revoked: true } });
    }
    for (const token of [user.token, user.refreshToken]) {
      expect((await run(revoke, { token }, other)).data).toEqual({ revokeToken: { revoked: true } });
    }
    expect((await me(user.token)).errors).toBeUndefined();
  });
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3::4', '2001:db8:1::/48'],
  ['nonsense', ''],
])('the network of %s is %j', (address, network) => {
  expect(toIpPrefix(address)).toBe(network);
});
