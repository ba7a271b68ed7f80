import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { activateFactor } from '../../../test/support/secondFactor.ts';
import { type SeededUser, seed } from '../../../test/support/seed.ts';
import {
  openTokenEndpoint,
  goodPassword as password,
  type TokenEndpoint,
  tokensOf,
} from '../../../test/support/tokenEndpoint.ts';

const world = product();
const { market } = world;
const minute = 60_000;

let endpoint: TokenEndpoint;

beforeAll(async () => {
  endpoint = openTokenEndpoint(world.stack, market);
});

describe('a sign-in that renews a session', () => {
  const stepUp = ({ refreshToken }: { refreshToken: string }, user: SeededUser) =>
    endpoint.firstStep(user, { linkSession: refreshToken });

  test('gives it the time of the sign-in, keeps its id and its place among the sessions, and rotates its token', async () => {
    const user = await market.user({ password });
    const before = await endpoint.sessionOf(user.token);
    world.stack.advance(5 * minute);
    const tokens = tokensOf(await stepUp(user, user));
    expect(tokens.sessionId).toBe(user.sessionId);
    expect(tokens.refreshToken).not.toBe(user.refreshToken);
    const after = await endpoint.sessionOf(tokens.accessToken);
    expect(Date.parse(after.authTime) - Date.parse(before.authTime)).toBeGreaterThanOrEqual(
      5 * minute - 1000,
    );
    const source = '{ mySessions { nodes { id } } }';
    const as = { as: tokens.accessToken, installation: market.installation };
    expect((await world.stack.execute(source, {}, as)).data?.mySessions.nodes).toEqual([
      { id: user.sessionId },
    ]);
  });

  test('needs the second factor again: a password alone renews no session that was opened with two', async () => {
    const user = await market.user({ password });
    const { app } = await activateFactor({ ...market, stack: world.stack, as: user });
    const otp = () => app.code(world.stack.platform.now());
    const opened = tokensOf(await endpoint.secondStep(await endpoint.mfaTokenOf(user), { otp: otp() }));
    world.stack.advance(11 * minute);
    const link = { linkSession: opened.refreshToken };
    expect(problemOf(await endpoint.firstStep(user, link))).toMatchObject({ code: 'mfa_required' });
    const stillOld = await endpoint.refresh(opened.refreshToken);
    const kept = tokensOf(stillOld);
    const mfaToken = await endpoint.mfaTokenOf(user);
    const renewed = tokensOf(
      await endpoint.secondStep(mfaToken, { otp: otp(), linkSession: kept.refreshToken }),
    );
    expect(renewed.sessionId).toBe(opened.sessionId);
    const session = await endpoint.sessionOf(renewed.accessToken);
    expect(session.amr).toEqual(['pwd', 'otp']);
    expect(Math.abs(Date.parse(session.authTime) - world.stack.platform.now())).toBeLessThan(5000);
  });

  test('is refused for somebody else’s session, an ended one, and what is no token; nothing changes', async () => {
    const [user, other] = [await market.user({ password }), await market.user({ password })];
    const ended = await market.user({ password });
    const revoke = 'mutation ($input: RevokeTokenInput!) { revokeToken(input: $input) { revoked } }';
    const at = { installation: market.installation };
    await world.stack.execute(revoke, { input: { token: ended.refreshToken } }, at);
    for (const [person, linkSession] of [
      [user, other.refreshToken],
      [ended, ended.refreshToken],
      [user, user.token],
      [user, 'x'],
    ] as const) {
      expect(problemOf(await endpoint.firstStep(person, { linkSession }))).toMatchObject({
        code: 'refresh_token_invalid',
        status: 401,
        error: 'invalid_grant',
      });
    }
    expect((await endpoint.refresh(other.refreshToken)).errors).toBeUndefined();
  });

  test('by many at once leaves one session and one token that everybody holds', async () => {
    const user = await market.user({ password });
    const results = await Promise.all(Array.from({ length: 10 }, () => stepUp(user, user)));
    const tokens = results.map(tokensOf);
    expect(new Set(tokens.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(new Set(tokens.map(({ sessionId }) => sessionId))).toEqual(new Set([user.sessionId]));
  });

  test('by a token that was replaced long ago ends the session, as any reuse does', async () => {
    const user = await market.user({ password });
    tokensOf(await endpoint.refresh(user.refreshToken));
    world.stack.advance(minute);
    expect(problemOf(await stepUp(user, user))).toMatchObject({ code: 'refresh_token_reused' });
  });
});

test('whose role demands a second factor enrolls one with the password alone, and is let in once he signs in with it', async () => {
  const strict = await seed(world.stack).installation({ settings: { mfaRequiredRoles: ['moderator'] } });
  const user = await strict.user({ password, roles: ['buyer', 'moderator'] });
  const ask = (source: string, token: string) =>
    world.stack.execute(source, {}, { as: token, installation: strict.installation });
  const me = '{ me { permissions mfa { enabled requiredByRole } } }';
  const listings = '{ listings { nodes { id } } }';
  expect(problemOf(await ask(listings, user.token))).toMatchObject({ code: 'mfa_required', status: 401 });
  expect((await ask(me, user.token)).data?.me).toEqual({
    permissions: [],
    mfa: { enabled: false, requiredByRole: true },
  });
  const { app } = await activateFactor({ ...strict, stack: world.stack, as: user });
  expect(problemOf(await ask(listings, user.token))).toMatchObject({ code: 'mfa_required' });
  const first = problemOf(
    await endpoint.issue({ grantType: 'password', username: user.email, password }, strict),
  );
  const { mfaToken } = first as unknown as { mfaToken: string };
  const code = { otp: app.code(world.stack.platform.now()), linkSession: user.refreshToken };
  const { accessToken, sessionId } = tokensOf(await endpoint.secondStep(mfaToken, code, strict));
  expect(sessionId).toBe(user.sessionId);
  expect((await ask(listings, accessToken)).errors).toBeUndefined();
  expect((await ask(me, accessToken)).data?.me.permissions).toContain('listings:moderate');
});
