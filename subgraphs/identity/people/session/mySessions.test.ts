import { allPages } from '../../../../test/support/allPages.ts';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { SessionModel } from './model.ts';
import type { Tokens } from './openSession.ts';

const world = product();
const { market } = world;
let user: SeededUser;
beforeEach(async () => {
  user = await market.user();
});

const sessions = () => market.records(SessionModel);
const stored = (id: string) => sessions().findOne({ _id: id });
const refresh = (refreshToken: string | null) =>
  market.visitor.issueToken({ grantType: 'refresh_token', refreshToken });

/** Opens a further session of a user at the current time of the clock. */
const openFurther = (of = user): Promise<Tokens> => {
  world.stack.advance(10);
  return signInAgain(world, of, { clientId: 'phone' });
};

async function expectEnded({ accessToken }: Pick<Tokens, 'accessToken'>): Promise<void> {
  expect(await market.caller(accessToken).me()).toBeRefused(401, 'session_revoked');
}

test('active sessions are listed in descending order of creation, with the current one marked', async () => {
  const [phone, ended, idle] = [await openFurther(), await openFurther(), await openFurther()];
  await user.revokeMySession({ sessionId: ended.sessionId });
  const idleExpiresAt = new Date(world.stack.platform.now() - 1);
  await sessions().findOneAndUpdate({ _id: idle.sessionId }, { $set: { idleExpiresAt } });
  await openFurther(await market.user());
  const own = {
    clientId: 'first-party',
    userAgent: 'jest',
    ipPrefix: '192.0.2.0/24',
    amr: ['pwd'],
    acr: 'pwd',
  };
  const { nodes } = await user.mySessions();
  expect(nodes).toEqual([
    expect.objectContaining({ id: phone.sessionId, clientId: 'phone', current: false }),
    expect.objectContaining({ id: user.sessionId, ...own, current: true }),
  ]);
});

test('pages contain each session once while time passes', async () => {
  for (let index = 0; index < 4; index += 1) await openFurther();
  const all = (await user.mySessions()).nodes.map(({ id }) => id);
  const paged = await allPages((after) => {
    world.stack.advance(1000);
    return user.mySessions({ first: 2, after });
  });
  expect(paged.map(({ id }) => id)).toEqual(all);
  expect(paged).toHaveLength(5);
});

test('a refresh updates the time of last use of a session, and other requests write nothing', async () => {
  const before = (await stored(user.sessionId))?.lastUsedAt.getTime() ?? 0;
  world.stack.advance(60_000);
  const commands = await commandsOf(() => user.me());
  expect(commands.filter((command) => /^(update|findAndModify|insert)/.test(command))).toEqual([]);
  expect((await stored(user.sessionId))?.lastUsedAt.getTime()).toBe(before);
  expect(await refresh(user.refreshToken)).not.toBeRefused();
  expect((await stored(user.sessionId))?.lastUsedAt.getTime()).toBeGreaterThanOrEqual(before + 60_000);
});

test('ending the other sessions takes effect immediately and keeps the current one', async () => {
  const neighbour = await market.user();
  const others = [await openFurther(), await openFurther()];
  for (const { accessToken } of others) expect(await market.caller(accessToken).me()).not.toBeRefused();
  const revokedSessionIds = others.map(({ sessionId }) => sessionId).sort();
  expect(await user.revokeMyOtherSessions({})).toEqual({ revokedSessionIds });
  for (const other of others) await expectEnded(other);
  for (const kept of [user, neighbour]) expect(await kept.me()).not.toBeRefused();
  expect(await user.revokeMyOtherSessions({})).toEqual({ revokedSessionIds: [] });
});

test('ending the other sessions with `includeCurrent` also ends the current one', async () => {
  const other = await openFurther();
  const { status, body } = await user.rest('DELETE', '/api/v1/me/sessions?includeCurrent=true');
  expect(status).toBe(200);
  expect(body.revokedSessionIds.sort()).toEqual([user.sessionId, other.sessionId].sort());
  expect(await user.me()).toBeRefused(401, 'session_revoked');
});

test('ending a session takes effect immediately, and a repetition changes nothing', async () => {
  const other = await openFurther();
  expect(await market.caller(other.accessToken).me()).not.toBeRefused();
  await user.revokeMySession({ sessionId: other.sessionId });
  await expectEnded(other);
  const before = await stored(other.sessionId);
  world.stack.advance(1000);
  expect(await user.revokeMySession({ sessionId: other.sessionId })).not.toBeRefused();
  expect(await stored(other.sessionId)).toEqual(before);
  expect(before?.revokeReason).toBe('revoked');
});

test('ending the session "current" is a logout and revokes its refresh token', async () => {
  expect((await user.rest('DELETE', '/api/v1/me/sessions/current')).status).toBe(204);
  expect((await stored(user.sessionId))?.revokeReason).toBe('logout');
  expect(await user.me()).toBeRefused(401, 'session_revoked');
  expect(await refresh(user.refreshToken)).toBeRefused(401, 'refresh_token_invalid');
});

test('ending a session of another user or of another installation is refused', async () => {
  const neighbour = await market.user();
  const foreigner = await (await world.neighbour()).user();
  const refused = await user.revokeMySession({ sessionId: neighbour.sessionId });
  expect(refused).toBeRefused(403, 'ownership_required');
  expect((await stored(neighbour.sessionId))?.revokedAt).toBeNull();
  const detail = 'The session does not exist.';
  for (const sessionId of [foreigner.sessionId, newId('session'), 'ses_x', neighbour.id])
    expect(await user.revokeMySession({ sessionId })).toBeRefused(404, 'not_found', { detail });
});

test('a session that is ended during refreshes stays ended', async () => {
  const other = await openFurther();
  const refreshes = Array.from({ length: 8 }, () => refresh(other.refreshToken));
  expect(
    (await concurrently(8, () => user.revokeMySession({ sessionId: other.sessionId }))).some(isRefused),
  ).toBe(false);
  for (const answer of await Promise.all(refreshes)) if (!isRefused(answer)) await expectEnded(answer.tokens);
  expect(await refresh(other.refreshToken)).toBeRefused(401);
});

test.each(['suspended', 'deletion_scheduled'] as const)(
  'a user who is %s can list and end sessions',
  async (state) => {
    user = await market.user({ state });
    const other = await openFurther();
    const ids = (await user.mySessions()).nodes.map(({ id }) => id);
    expect(ids).toEqual([other.sessionId, user.sessionId]);
    const ended = await user.revokeMyOtherSessions({});
    expect(ended).toEqual({ revokedSessionIds: [other.sessionId] });
    expect(await user.revokeMySession({ sessionId: 'current' })).not.toBeRefused();
  },
);
