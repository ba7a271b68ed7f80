import { buildIdentity } from '../../subgraphs/identity/server.ts';
import { download } from '../support/download.ts';
import { openRestStack, type RestStack } from '../support/openRestStack.ts';
import { readArchive } from '../support/readArchive.ts';
import { type SeededInstallation, type SeededUser, seed } from '../support/seed.ts';

/*
 * One's own account over HTTP: what a client sees of it, status by status and header by header.
 */

const password = 'plum-tractor-9-violin';
let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

const newUser = () => shop.user({ password });

test('one’s own view is for the caller alone, and changes its tag with the profile', async () => {
  const { token } = await newUser();
  const { status, headers, body } = await rest.call('GET', '/api/v1/me', { token });
  expect([status, headers.get('cache-control'), headers.get('vary')]).toEqual([
    200,
    'no-store',
    'Authorization',
  ]);
  expect(body).toMatchObject({ type: 'user', state: 'active', counts: { unreadMessages: 0 } });
  const etag = headers.get('etag') ?? '';
  expect(etag).toMatch(/^"1-[0-9a-f]{8}"$/);
  const same = await rest.call('GET', '/api/v1/me', { token, headers: { 'if-none-match': etag } });
  expect([same.status, same.headers.get('vary')]).toEqual([304, 'Authorization']);
  const changed = await rest.call('PATCH', '/api/v1/me', {
    token,
    body: { givenName: 'Ada', familyName: 'Lovelace', phone: '+442071838750' },
    headers: { 'if-match': etag, 'content-type': 'application/merge-patch+json' },
  });
  expect([changed.status, changed.headers.get('etag')?.slice(0, 3)]).toEqual([200, '"2-']);
  const late = await rest.call('PATCH', '/api/v1/me', {
    token,
    body: { givenName: null },
    headers: { 'if-match': etag },
  });
  expect([late.status, late.body.code]).toEqual([412, 'precondition_failed']);
});

test.each([
  [{ avatarMediaId: 'med_1' }, 'validation_failed', '#/avatarMediaId'],
  [{ nickname: 'x' }, 'unknown_field', '#/nickname'],
  [{ deletion: null }, 'read_only_field', '#/deletion'],
  [{ consents: [] }, 'read_only_field', '#/consents'],
  [{ email: 'x@example.test' }, 'read_only_field', '#/email'],
  [{ displayName: 'a‮b' }, 'validation_failed', '#/displayName'],
  [{ timeZone: 'Mars/Olympus' }, 'validation_failed', '#/timeZone'],
])('a profile with %j is refused with %s', async (body, code, pointer) => {
  const { token } = await newUser();
  const answer = await rest.call('PATCH', '/api/v1/me', { token, body });
  expect([answer.status, answer.body.code, answer.body.errors[0].pointer]).toEqual([422, code, pointer]);
});

test('a password is changed without a body in the answer', async () => {
  const { token, email } = await newUser();
  const change = (body: object) => rest.call('PUT', '/api/v1/me/password', { token, body });
  const wrong = await change({ currentPassword: 'wrong', newPassword: 'another-tractor-7-cello' });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_current_password']);
  const { status, body } = await change({
    currentPassword: password,
    newPassword: 'another-tractor-7-cello',
  });
  expect([status, body]).toEqual([204, null]);
  const signIn = await rest.call('POST', '/api/v1/auth/token', {
    body: { grant_type: 'password', username: email, password: 'another-tractor-7-cello' },
  });
  expect(signIn.status).toBe(200);
});

test('a consent is put under its purpose', async () => {
  const { token } = await newUser();
  const put = (purpose: string, body: object) =>
    rest.call('PUT', `/api/v1/me/consents/${purpose}`, { token, body });
  const given = await put('marketing', { version: '1', granted: true });
  expect([given.status, given.body]).toMatchObject([
    200,
    { purpose: 'marketing', version: '1', granted: true, source: 'web' },
  ]);
  expect((await put('marketing', { version: '0', granted: true })).body).toMatchObject({
    status: 409,
    code: 'consent_version_outdated',
    currentVersion: '1',
  });
  expect((await put('ai_processing', { version: '1', granted: true })).status).toBe(404);
});

test('leaving is accepted, and taken back by the one member that is taken then', async () => {
  const { token } = await newUser();
  const left = await rest.call('DELETE', '/api/v1/me', { token });
  expect(left.status).toBe(202);
  expect(Object.keys(left.body)).toEqual(['deletion']);
  expect((await rest.call('GET', '/api/v1/me', { token })).body.deletion).toEqual(left.body.deletion);
  expect((await rest.call('GET', '/api/v1/me/sessions', { token })).status).toBe(200);
  for (const [method, path, body] of [
    ['DELETE', '/api/v1/me', undefined],
    ['PATCH', '/api/v1/me', { displayName: 'x' }],
    ['GET', '/api/v1/listings', undefined],
  ] as const) {
    const answer = await rest.call(method, path, { token, body });
    expect([answer.status, answer.body.code]).toEqual([403, 'account_deletion_scheduled']);
  }
  const back = await rest.call('PATCH', '/api/v1/me', { token, body: { cancelDeletion: true } });
  expect([back.status, back.body.state, back.body.deletion]).toEqual([200, 'active', null]);
});

test('a dealer’s only owner is told what keeps him', async () => {
  const dealer = await shop.dealer();
  const { status, body } = await rest.call('DELETE', '/api/v1/me', { token: dealer.owner.token });
  expect([status, body]).toMatchObject([
    409,
    { code: 'open_obligations', obligations: [{ kind: 'sole_dealer_owner', id: dealer.id }] },
  ]);
});

describe('one’s data', () => {
  async function exported(user: SeededUser): Promise<{ id: string; link: string }> {
    const asked = await rest.call('POST', '/api/v1/me/data-exports', { token: user.token });
    expect([asked.status, asked.body]).toMatchObject([202, { state: 'queued', url: null }]);
    const { id } = asked.body;
    await rest.stack.runJob('identity.data-exports');
    const ready = await rest.call('GET', `/api/v1/me/data-exports/${id}`, { token: user.token });
    expect([ready.status, ready.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(ready.body).toMatchObject({ state: 'ready', progress: { done: expect.any(Number) } });
    return { id, link: new URL(ready.body.url).pathname };
  }
  const fetchFile = (link: string, headers: Record<string, string> = {}) =>
    download(rest.port, link, { host: 'demo.localhost', ...headers });

  test('is fetched by a link that needs no token, as a file to be saved', async () => {
    const user = await newUser();
    const { link } = await exported(user);
    const { status, headers, bytes } = await fetchFile(link, { authorization: 'Bearer nonsense' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="data-\d{4}-\d\d-\d\d\.zip"$/),
      'cache-control': 'private, no-store',
    });
    expect(JSON.parse((await readArchive(bytes)).get('account.json') ?? '')).toMatchObject([{ id: user.id }]);
    const part = await fetchFile(link, { range: 'bytes=0-3' });
    expect([part.status, part.bytes.toString('latin1')]).toEqual([206, 'PK\u0003\u0004']);
  });

  test('is not fetched by the link after 15 minutes, nor in another installation', async () => {
    const user = await newUser();
    const { id, link } = await exported(user);
    expect((await fetchFile(link, { host: 'other.localhost' })).status).toBe(404);
    rest.stack.advance(15 * 60_000 + 1);
    expect((await fetchFile(link)).status).toBe(404);
    const again = await rest.call('POST', '/api/v1/auth/token', {
      body: { grant_type: 'password', username: user.email, password },
    });
    const token = again.body.access_token;
    const fresh = await rest.call('GET', `/api/v1/me/data-exports/${id}`, { token });
    expect((await fetchFile(new URL(fresh.body.url).pathname)).status).toBe(200);
    const early = await rest.call('POST', '/api/v1/me/data-exports', { token });
    expect([early.status, early.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(80_000);
  });
});
