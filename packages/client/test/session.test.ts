import { memoryStorage, ProblemError, webStorage } from '../src/client.ts';
import { password, useClients } from './useClients.ts';

const clients = useClients();

const refreshes = async () => {
  const bodies = await Promise.all(
    clients.sent.filter(({ url }) => url.endsWith('/auth/token')).map((request) => request.clone().json()),
  );
  return bodies.filter(({ grant_type }) => grant_type === 'refresh_token');
};

/** A store that two tabs share, like `localStorage`. */
function sharedStore() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

test('a client signs in, calls in both styles, and signs out', async () => {
  const client = await clients.signedIn({ clientId: 'shop-web' });
  const { data } = await client.rest.GET('/api/v1/me');
  expect(data?.type).toBe('user');
  const [request] = clients.sent;
  expect(await request?.json()).toMatchObject({ grant_type: 'password', client_id: 'shop-web' });
  const { me } = await client.graphql<{ me: { id: string } }, Record<string, never>>('{ me { id } }');
  expect(me.id).toBe(data?.id);
  await client.session.signOut();
  expect(client.session.isSignedIn).toBe(false);
  expect((await client.rest.GET('/api/v1/me')).error?.code).toBe('token_missing');
});

test('a wrong password throws a problem with its code', async () => {
  const user = await clients.shop.user({ password });
  const attempt = clients.client().session.signIn({ username: user.email, password: 'wrong-word' });
  const error = await attempt.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ status: 401, code: 'invalid_credentials' });
});

test('concurrent calls renew an access token that is about to expire once', async () => {
  const storage = memoryStorage();
  const client = await clients.signedIn({ storage });
  const { accessToken = '', ...tokens } = storage.read() ?? {};
  storage.write({ ...tokens, accessToken, expiresAt: Date.now() + 1000 } as never);
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.rest.GET('/api/v1/me')));
  expect(new Set(answers.map(({ response }) => response.status))).toEqual(new Set([200]));
  expect(await refreshes()).toHaveLength(1);
  expect(storage.read()?.accessToken).not.toBe(accessToken);
});

test('a refused token is renewed, and the call is repeated with its body', async () => {
  const storage = memoryStorage();
  const client = await clients.signedIn({ storage });
  const tokens = storage.read();
  if (!tokens) throw new Error('not signed in');
  storage.write({ ...tokens, accessToken: `${tokens.accessToken.slice(0, -4)}AAAA` });
  const { data } = await client.rest.PATCH('/api/v1/me', { body: { displayName: 'Grace' } });
  expect(data?.displayName).toBe('Grace');
  expect(await refreshes()).toHaveLength(1);
});

describe.each([
  ['with Web Locks', () => navigator.locks],
  ['without Web Locks', () => null],
])('two tabs %s', (_, locks) => {
  test('two tabs renew their token once between them, repeatedly', async () => {
    const store = sharedStore();
    const name = `tabs-${Math.random()}`;
    const tab = () => webStorage(store, name, locks());
    const first = await clients.signedIn({ storage: tab() });
    const second = clients.client({ storage: tab() });
    for (let round = 1; round <= 3; round += 1) {
      const storage = tab();
      storage.write({ ...storage.read(), expiresAt: 0 } as never);
      const calls = [first, second, first, second].map((client) => client.rest.GET('/api/v1/me'));
      const statuses = (await Promise.all(calls)).map(({ response }) => response.status);
      expect(statuses).toEqual([200, 200, 200, 200]);
      expect(await refreshes()).toHaveLength(round);
      // Past the half minute in which the service takes an older token for a slip.
      clients.world.stack.advance(60_000);
    }
  });

  test('two tabs are both signed out when one signs out', async () => {
    const store = sharedStore();
    const name = `tabs-${Math.random()}`;
    const first = await clients.signedIn({ storage: webStorage(store, name, locks()) });
    const second = clients.client({ storage: webStorage(store, name, locks()) });
    expect(second.session.id).toBe(first.session.id);
    await first.session.signOut();
    expect(second.session.isSignedIn).toBe(false);
  });
});

test('a lost response to a refresh keeps the session', async () => {
  const storage = memoryStorage();
  let losses = 0;
  const client = await clients.signedIn({
    storage,
    fetch: async (request: Request) => {
      const isRefresh = (await request.clone().text()).includes('refresh_token"');
      const response = await fetch(request);
      if (!isRefresh || losses > 0) return response;
      losses += 1;
      await response.text();
      throw new TypeError('fetch failed');
    },
  });
  storage.write({ ...storage.read(), expiresAt: 0 } as never);
  expect((await client.rest.GET('/api/v1/me')).response.status).toBe(200);
  expect(losses).toBe(1);
  expect(await refreshes()).toHaveLength(2);
});

test('a session that ended elsewhere is removed with its tokens, and listeners are notified', async () => {
  const storage = memoryStorage();
  const client = await clients.signedIn({ storage });
  const tokens = storage.read();
  const heard: boolean[] = [];
  client.session.onChange(({ isSignedIn }) => heard.push(isSignedIn));
  const other = clients.client();
  await other.rest.POST('/api/v1/auth/revoke', { body: { token: tokens?.refreshToken ?? '' } });
  const { response, error } = await client.rest.GET('/api/v1/me');
  expect([response.status, error?.code]).toEqual([401, 'session_revoked']);
  expect(client.session.isSignedIn).toBe(false);
  expect(heard).toEqual([false]);
});

test('an unavailable service does not end the session', async () => {
  const storage = memoryStorage();
  let isAway = false;
  const client = await clients.signedIn({
    storage,
    retry: { attempts: 2, baseMs: 1 },
    fetch: (request: Request) => (isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(request)),
  });
  storage.write({ ...storage.read(), expiresAt: 0 } as never);
  isAway = true;
  await expect(client.rest.GET('/api/v1/me')).rejects.toThrow('fetch failed');
  isAway = false;
  expect((await client.rest.GET('/api/v1/me')).response.status).toBe(200);
});
