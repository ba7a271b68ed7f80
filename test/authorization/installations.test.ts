import { completeListing, type SeededInstallation, type SeededUser, seed, unique } from '../support/seed.ts';
import type { HttpAnswer, HttpRequest } from '../support/stack/openHttpClient.ts';
import { collection } from './world/collection.ts';
import { knownPassword, openWorld, type World } from './world/openWorld.ts';

const hosts = ['demo.localhost', 'other.localhost'] as const;

let world: World;
let shops: readonly [SeededInstallation, SeededInstallation];
let users: readonly [SeededUser, SeededUser];

beforeAll(async () => {
  world = await openWorld();
  const { stack } = world.app;
  shops = [await seed(stack).in(stack.demo), await seed(stack).in(stack.other)];
  users = [
    await shops[0].user({ password: knownPassword }),
    await shops[1].user({ password: knownPassword }),
  ];
}, 60_000);
afterAll(() => world.app.close());

/** Sends a request to one of the two installations, 0 or 1. */
function ask(which: 0 | 1, request: HttpRequest): Promise<HttpAnswer> {
  return world.app.send({ host: hosts[which], ...request });
}

const codeOf = ({ status, json }: HttpAnswer) => `${status} ${json?.code}`;

describe('an installation', () => {
  test('refuses an access token of another installation', async () => {
    const [token, foreign] = [users[0].token, users[1].token];
    for (const path of ['/api/v1/me', '/api/v1/listings', '/api/v1/catalog/listings', '/api/v1/nope']) {
      expect(codeOf(await ask(1, { path, token }))).toBe('403 installation_mismatch');
      expect(codeOf(await ask(0, { path, token: foreign }))).toBe('403 installation_mismatch');
    }
    expect((await ask(0, { path: '/api/v1/me', token })).json.installation.id).toBe('ins_demo');
    expect((await ask(1, { path: '/api/v1/me', token: foreign })).json.installation.id).toBe('ins_other');
  });

  test('refuses a refresh token of another installation, whose session stays valid', async () => {
    const user = await shops[0].user();
    const refresh = (which: 0 | 1, refreshToken: string) =>
      ask(which, {
        method: 'POST',
        path: '/api/v1/auth/token',
        body: { grant_type: 'refresh_token', refresh_token: refreshToken },
      });
    const stored = () => collection('sessions').findOne({ _id: user.sessionId });
    const before = await stored();
    expect(codeOf(await refresh(1, user.refreshToken))).toBe('401 refresh_token_invalid');
    expect(await stored()).toEqual(before);
    const next = await refresh(0, user.refreshToken);
    expect(next).toMatchObject({ status: 200, json: { session_id: user.sessionId } });
    expect(codeOf(await refresh(1, next.json.refresh_token))).toBe('401 refresh_token_invalid');
    expect((await refresh(0, next.json.refresh_token)).status).toBe(200);
  });

  test('does not revoke a token of another installation', async () => {
    const user = await shops[0].user();
    for (const token of [user.refreshToken, user.token]) {
      const revoked = await ask(1, { method: 'POST', path: '/api/v1/auth/revoke', body: { token } });
      expect(revoked.status).toBe(200);
      expect((await ask(0, { path: '/api/v1/me', token: user.token })).status).toBe(200);
    }
  });

  test('refuses the password of an account with the same address in another installation', async () => {
    const email = `${unique('both')}@example.test`;
    const passwords = ['plum-tractor-9-violin', 'violin-9-tractor-plum'] as const;
    const register = (which: 0 | 1) =>
      ask(which, {
        method: 'POST',
        path: '/api/v1/auth/register',
        body: { email, password: passwords[which], displayName: 'Both' },
      });
    const signIn = (which: 0 | 1, password: string) =>
      ask(which, {
        method: 'POST',
        path: '/api/v1/auth/token',
        body: { grant_type: 'password', username: email, password },
      });
    const [first, second] = [await register(0), await register(1)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.json.userId).not.toBe(second.json.userId);
    for (const which of [0, 1] as const) {
      expect((await signIn(which, passwords[which])).status).toBe(200);
      expect(codeOf(await signIn(which, passwords[which === 0 ? 1 : 0]))).toBe('401 invalid_credentials');
    }
  });

  test('refuses a cursor of another installation, caller or list', async () => {
    const make = async (user: SeededUser) => {
      for (let index = 0; index < 2; index += 1) await user.listing({ published: true });
    };
    const other = await shops[0].user();
    for (const user of [...users, other]) await make(user);
    const cursorOf = async (which: 0 | 1, path: string, token?: string) => {
      const { json } = await ask(which, { path: `${path}?limit=1`, token });
      expect(json.page.nextCursor).toMatch(/^[\w-]{20,}$/);
      return String(json.page.nextCursor);
    };
    const page = (which: 0 | 1, path: string, cursor: string, token?: string) =>
      ask(which, { path: `${path}?limit=1&cursor=${cursor}`, token });
    const open = await cursorOf(0, '/api/v1/catalog/listings');
    expect((await page(0, '/api/v1/catalog/listings', open)).status).toBe(200);
    expect(codeOf(await page(1, '/api/v1/catalog/listings', open))).toBe('400 invalid_cursor');
    const own = await cursorOf(0, '/api/v1/listings', users[0].token);
    expect((await page(0, '/api/v1/listings', own, users[0].token)).status).toBe(200);
    expect(codeOf(await page(0, '/api/v1/listings', own, other.token))).toBe('400 invalid_cursor');
    expect(codeOf(await page(1, '/api/v1/listings', own, users[1].token))).toBe('400 invalid_cursor');
    expect(codeOf(await page(0, '/api/v1/catalog/listings', own))).toBe('400 invalid_cursor');
  });

  test('executes a request whose idempotency key was used by another installation or caller', async () => {
    const key = unique('key');
    const create = async (which: 0 | 1, { token }: SeededUser) => {
      const headers = [['idempotency-key', key]] as const;
      const body = { title: 'The same in both' };
      return ask(which, { method: 'POST', path: '/api/v1/listings', token, headers, body });
    };
    const other = await shops[0].user();
    const made = [await create(0, users[0]), await create(1, users[1]), await create(0, other)];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ json }) => json.id)).size).toBe(3);
    for (const { headers } of made) expect(headers['idempotent-replayed']).toBeUndefined();
    const again = await create(0, users[0]);
    expect([again.headers['idempotent-replayed'], again.json.id]).toEqual(['true', made[0]?.json.id]);
  });

  test('finds no record by an id or slug of another installation in a path, a query or a body', async () => {
    const { id, slug } = await users[1].listing({ published: true });
    const draft = await users[1].listing();
    const { categoryId } = completeListing(shops[1].categories);
    const { token } = users[0];
    const rows: [HttpRequest, string][] = [
      [{ path: `/api/v1/listings/${id}`, token }, '404 not_found'],
      [
        { method: 'PATCH', path: `/api/v1/listings/${draft.id}`, token, body: { title: 'Mine' } },
        '404 not_found',
      ],
      [{ method: 'POST', path: `/api/v1/listings/${draft.id}/publish`, token }, '404 not_found'],
      [{ path: `/api/v1/catalog/listings/${id}` }, '404 not_found'],
      [{ path: `/api/v1/catalog/listings/${slug}` }, '404 not_found'],
      [{ method: 'POST', path: '/api/v1/listings', token, body: { categoryId } }, '422 validation_failed'],
    ];
    for (const [request, words] of rows)
      expect([request.path, codeOf(await ask(0, request))]).toEqual([request.path, words]);
    const found = await ask(0, { path: `/api/v1/catalog/listings?categoryId=${String(categoryId)}` });
    expect(found.json.data).toEqual([]);
    expect((await ask(1, { path: `/api/v1/catalog/listings/${slug}` })).json.id).toBe(id);
  });
});

test('each installation uses its own base URL in languages, metadata and problems', async () => {
  for (const which of [0, 1] as const) {
    const base = `http://${hosts[which]}`;
    const languages = await ask(which, { path: '/api/rest/translation/v1/languages' });
    expect(languages.json.data[0].homeUrl).toContain(base);
    const metadata = await ask(which, { path: '/.well-known/oauth-authorization-server' });
    expect(metadata.json.token_endpoint).toBe(`${base}/api/v1/auth/token`);
    const missing = await ask(which, { path: '/api/v1/me' });
    expect(missing.json.type).toBe(`${base}/problems/token_missing`);
    expect(missing.headers['www-authenticate']).toContain(which === 0 ? 'ins_demo' : 'ins_other');
  }
});
