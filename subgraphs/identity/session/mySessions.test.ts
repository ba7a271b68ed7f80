import { changesHeard } from '../../../test/support/changesHeard.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import type { TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { buildIdentity } from '../server.ts';
import { UserModel } from '../user/model.ts';
import { SessionModel } from './model.ts';
import { openSession, type Tokens } from './openSession.ts';

let rest: RestStack;
let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  stack = rest.stack;
  shop = await seed(stack).in(stack.demo);
});
afterAll(() => rest.close());

const listQuery = `query ($first: Int, $after: String) { mySessions(first: $first, after: $after) {
  nodes { id clientId userAgent ipPrefix createdAt lastUsedAt idleExpiresAt absoluteExpiresAt authTime amr acr current }
  pageInfo { hasNextPage endCursor } } }`;
const endOthers = `mutation ($input: RevokeMyOtherSessionsInput!) {
  revokeMyOtherSessions(input: $input) { revokedSessionIds } }`;
const endOne = `mutation ($input: RevokeMySessionInput!) { revokeMySession(input: $input) { revoked } }`;

const call = (source: string, variables: object, token: string | null, at = shop) =>
  stack.execute(source, variables as Record<string, unknown>, { as: token, installation: at.installation });

/** One more session of somebody, as of this moment of the clock. */
async function signInAgain(user: SeededUser, at = shop): Promise<Tokens> {
  const record = await scoped(UserModel, at.installation.id).findOne({ _id: user.id });
  if (!record) throw new Error('The user is gone.');
  stack.advance(10);
  return openSession(stack.contextFor({ installation: at.installation }), record, {
    amr: ['pwd'],
    clientId: 'phone',
  });
}
const idsOf = async (token: string): Promise<string[]> =>
  (await call(listQuery, {}, token)).data?.mySessions.nodes.map(({ id }: { id: string }) => id);
const isRefused = async (token: string) => {
  const { status, body } = await rest.call('GET', '/api/v1/me', { token });
  return status === 200 ? null : `${status} ${body.code}`;
};
const stored = (id: string) => scoped(SessionModel, shop.installation.id).findOne({ _id: id });

describe('the list of one’s sessions', () => {
  test('shows the live ones, the newest first, and which one asks', async () => {
    const user = await shop.user();
    const [phone, gone, idle] = [await signInAgain(user), await signInAgain(user), await signInAgain(user)];
    await call(endOne, { input: { sessionId: gone.sessionId } }, user.token);
    await scoped(SessionModel, shop.installation.id).findOneAndUpdate(
      { _id: idle.sessionId },
      { $set: { idleExpiresAt: new Date(stack.platform.now() - 1) } },
    );
    await signInAgain(await shop.user());
    const { data } = await call(listQuery, {}, user.token);
    expect(data?.mySessions.nodes).toEqual([
      expect.objectContaining({ id: phone.sessionId, clientId: 'phone', current: false }),
      expect.objectContaining({
        id: user.sessionId,
        clientId: 'first-party',
        userAgent: 'jest',
        ipPrefix: '192.0.2.0/24',
        amr: ['pwd'],
        acr: 'pwd',
        current: true,
      }),
    ]);
  });

  test('goes on page by page while time passes', async () => {
    const user = await shop.user();
    for (let index = 0; index < 4; index += 1) await signInAgain(user);
    const all = await idsOf(user.token);
    const paged: string[] = [];
    let after: string | null = null;
    do {
      stack.advance(1000);
      const { data } = await call(listQuery, { first: 2, after }, user.token);
      paged.push(...data?.mySessions.nodes.map(({ id }: { id: string }) => id));
      after = data?.mySessions.pageInfo.endCursor;
    } while (after !== null);
    expect(paged).toEqual(all);
    expect(paged).toHaveLength(5);
  });

  test('costs one command however many there are, through an index', async () => {
    const user = await shop.user();
    await call(listQuery, {}, user.token);
    const costs: string[][] = [];
    for (const more of [0, 9]) {
      for (let index = 0; index < more; index += 1) await signInAgain(user);
      await changesHeard();
      await call('{ me { id } }', {}, user.token);
      costs.push(await commandsOf(() => call(listQuery, { first: 100 }, user.token)));
    }
    expect(costs.at(-1)).toEqual(costs[0]);
    expect(costs[0]).toContain('find sessions');
    const plans = await indexesOf(() => call(listQuery, {}, user.token));
    const { indexes } = plans.find(({ command }) => command === 'find sessions') ?? { indexes: [] };
    expect(indexes).toContainEqual(expect.stringMatching(/userId/));
  });

  test('says when a session was last refreshed, and a request alone costs no write', async () => {
    const user = await shop.user();
    const before = (await stored(user.sessionId))?.lastUsedAt.getTime() ?? 0;
    stack.advance(60_000);
    const commands = await commandsOf(() => rest.call('GET', '/api/v1/me', { token: user.token }));
    expect(commands.filter((command) => /^(update|findAndModify|insert)/.test(command))).toEqual([]);
    expect((await stored(user.sessionId))?.lastUsedAt.getTime()).toBe(before);
    const body = { grant_type: 'refresh_token', refresh_token: user.refreshToken };
    expect((await rest.call('POST', '/api/v1/auth/token', { body })).status).toBe(200);
    expect((await stored(user.sessionId))?.lastUsedAt.getTime()).toBeGreaterThanOrEqual(before + 60_000);
  });

  test('refuses a page that is none', async () => {
    const { token } = await shop.user();
    expect(problemOf(await call(listQuery, { first: 0 }, token))).toMatchObject({
      code: 'malformed_request',
    });
    expect(problemOf(await call(listQuery, { after: 'x' }, token))).toMatchObject({ code: 'invalid_cursor' });
    expect((await rest.call('GET', '/api/v1/me/sessions?limit=x', { token })).status).toBe(400);
  });
});

describe('signing out everywhere else', () => {
  test('ends the other sessions at once, keeps this one, and says which ones', async () => {
    const [user, neighbour] = [await shop.user(), await shop.user()];
    const others = [await signInAgain(user), await signInAgain(user)];
    for (const { accessToken } of others) expect(await isRefused(accessToken)).toBeNull();
    const answer = await rest.call('DELETE', '/api/v1/me/sessions', { token: user.token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ revokedSessionIds: others.map(({ sessionId }) => sessionId).sort() });
    for (const { accessToken } of others) expect(await isRefused(accessToken)).toBe('401 session_revoked');
    expect(await isRefused(user.token)).toBeNull();
    expect(await isRefused(neighbour.token)).toBeNull();
    const again = await rest.call('DELETE', '/api/v1/me/sessions', { token: user.token });
    expect(again.body).toEqual({ revokedSessionIds: [] });
  });

  test('ends this one as well if it is asked to', async () => {
    const user = await shop.user();
    const other = await signInAgain(user);
    const { status, body } = await rest.call('DELETE', '/api/v1/me/sessions?includeCurrent=true', {
      token: user.token,
    });
    expect(status).toBe(200);
    expect(body.revokedSessionIds.sort()).toEqual([user.sessionId, other.sessionId].sort());
    expect(await isRefused(user.token)).toBe('401 session_revoked');
    expect((await rest.call('DELETE', '/api/v1/me/sessions', { token: user.token })).status).toBe(401);
  });

  test('takes no parameter that it does not know', async () => {
    const { token } = await shop.user();
    const { status, body } = await rest.call('DELETE', '/api/v1/me/sessions?everything=true', { token });
    expect([status, body.code]).toEqual([400, 'unsupported_parameter']);
  });
});

describe('ending one session', () => {
  const path = (id: string) => `/api/v1/me/sessions/${id}`;
  const end = async (id: string, token: string) => {
    const { status, body } = await rest.call('DELETE', path(id), { token });
    return body === null ? status : `${status} ${body.code}`;
  };

  test('ends it at once; ending it again changes nothing', async () => {
    const user = await shop.user();
    const other = await signInAgain(user);
    expect(await isRefused(other.accessToken)).toBeNull();
    expect(await end(other.sessionId, user.token)).toBe(204);
    expect(await isRefused(other.accessToken)).toBe('401 session_revoked');
    const before = await stored(other.sessionId);
    stack.advance(1000);
    expect(await end(other.sessionId, user.token)).toBe(204);
    expect(await stored(other.sessionId)).toEqual(before);
    expect(before?.revokeReason).toBe('revoked');
  });

  test('"current" is the session that asks: a logout, also of its refresh token', async () => {
    const user = await shop.user();
    expect(await end('current', user.token)).toBe(204);
    expect((await stored(user.sessionId))?.revokeReason).toBe('logout');
    expect(await isRefused(user.token)).toBe('401 session_revoked');
    const refresh = { grant_type: 'refresh_token', refresh_token: user.refreshToken };
    const answer = await rest.call('POST', '/api/v1/auth/token', { body: refresh });
    expect([answer.status, answer.body.code]).toEqual([401, 'refresh_token_invalid']);
  });

  test('is refused for somebody else’s, and for none: of another installation like one that never was', async () => {
    const [user, neighbour] = [await shop.user(), await shop.user()];
    const stranger = await (await seed(stack).in(stack.other)).user();
    expect(await end(neighbour.sessionId, user.token)).toBe('403 ownership_required');
    expect((await stored(neighbour.sessionId))?.revokedAt).toBeNull();
    const wanted = [stranger.sessionId, newId('session'), 'ses_x', neighbour.id];
    const problems = await Promise.all(
      wanted.map(async (sessionId) => problemOf(await call(endOne, { input: { sessionId } }, user.token))),
    );
    for (const problem of problems)
      expect(problem).toMatchObject({ code: 'not_found', detail: 'The session does not exist.' });
  });

  test('wins against refreshes at the same time: none of them brings it back', async () => {
    const user = await shop.user();
    const other = await signInAgain(user);
    const refresh = () =>
      rest.call('POST', '/api/v1/auth/token', {
        body: { grant_type: 'refresh_token', refresh_token: other.refreshToken },
      });
    const endings = Array.from({ length: 8 }, () => end(other.sessionId, user.token));
    const refreshes = Array.from({ length: 8 }, refresh);
    expect(new Set(await Promise.all(endings))).toEqual(new Set([204]));
    for (const { status, body } of await Promise.all(refreshes))
      if (status === 200) expect(await isRefused(body.access_token)).toBe('401 session_revoked');
    expect((await refresh()).status).toBe(401);
  });
});

test.each(['suspended', 'deletion_scheduled'] as const)(
  'a %s user sees his sessions and ends them',
  async (state) => {
    const user = await shop.user({ state });
    const other = await signInAgain(user);
    expect(await idsOf(user.token)).toEqual([other.sessionId, user.sessionId]);
    expect((await call(endOthers, { input: {} }, user.token)).data?.revokeMyOtherSessions).toEqual({
      revokedSessionIds: [other.sessionId],
    });
    expect((await call(endOne, { input: { sessionId: 'current' } }, user.token)).errors).toBeUndefined();
  },
);
