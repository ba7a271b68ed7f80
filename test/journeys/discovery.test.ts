import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  customFetch,
  discovery,
  genericGrantRequest,
  None,
  refreshTokenGrant,
} from 'openid-client';
import { grantTypes } from '../../schema/grantTypes.ts';
import { openTestApp, type TestApp } from '../support/openTestApp.ts';
import { seed } from '../support/seed.ts';

/*
 * What others' libraries make of this authorization server. The deployment's issuer URL is that of the installation
 * `demo`; a second one runs with an issuer URL where no installation answers.
 */

const password = 'plum-tractor-9-violin';
let app: TestApp;

/** What both libraries call `fetch` with. */
interface Init {
  method?: string;
  headers?: HeadersInit;
  body?: unknown;
}

/** `fetch` for host names that only the product knows. */
const fetchFrom =
  (target: TestApp) =>
  async (input: string, init: Init = {}): Promise<Response> => {
    const url = new URL(input);
    const { status, headers, text } = await target.send({
      method: init.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      host: url.host,
      headers: [...new Headers(init.headers)],
      body: init.body instanceof URLSearchParams ? init.body.toString() : undefined,
    });
    const flat = Object.entries(headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
    return new Response(text, { status, headers: flat as [string, string][] });
  };

const discover = () =>
  discovery(new URL('http://demo.localhost'), 'shop-web', undefined, None(), {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
    [customFetch]: fetchFrom(app),
  });

describe('an installation at the issuer URL', () => {
  beforeAll(async () => {
    app = await openTestApp({ issuer: 'http://demo.localhost' });
  }, 60_000);
  afterAll(() => app.close());

  test('openid-client finds the server by its issuer, and signs in and refreshes by what it found', async () => {
    const { email } = await (await seed(app.stack).in(app.stack.demo)).user({ password });
    const configuration = await discover();
    const issued = await genericGrantRequest(configuration, 'password', { username: email, password });
    expect(issued).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'user' });
    const renewed = await refreshTokenGrant(configuration, issued.refresh_token ?? '');
    expect(renewed.refresh_token).not.toBe(issued.refresh_token);
    const me = await app.send({ path: '/api/v1/me', token: renewed.access_token });
    expect([me.status, me.json.email]).toEqual([200, email]);
  });

  test('jose verifies access tokens against the published keys, as RFC 9068 says', async () => {
    const { token, id } = await (await seed(app.stack).in(app.stack.demo)).user();
    const { jwks_uri = '', issuer } = (await discover()).serverMetadata();
    const keys = createRemoteJWKSet(new URL(jwks_uri), { [joseFetch]: fetchFrom(app) });
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: 'http://demo.localhost/api/v1',
      typ: 'at+jwt',
      algorithms: ['ES256'],
      requiredClaims: ['sub', 'client_id', 'iat', 'exp', 'jti'],
    });
    expect([payload.sub, protectedHeader.alg]).toEqual([id, 'ES256']);
  });

  test('the metadata names what is served: every grant is known, and no other one', async () => {
    const metadata = (await discover()).serverMetadata();
    expect(metadata.grant_types_supported).toEqual([...grantTypes]);
    for (const grant_type of metadata.grant_types_supported ?? []) {
      const { json } = await app.send({ method: 'POST', path: '/api/v1/auth/token', body: { grant_type } });
      expect([grant_type, json.code]).not.toEqual([grant_type, 'unsupported_grant_type']);
    }
    const other = await app.send({
      method: 'POST',
      path: '/api/v1/auth/token',
      body: { grant_type: 'implicit' },
    });
    expect([other.status, other.json.code]).toEqual([400, 'unsupported_grant_type']);
    for (const url of [metadata.token_endpoint, metadata.revocation_endpoint]) {
      const { status } = await app.send({ method: 'POST', path: new URL(url ?? '').pathname, body: {} });
      expect(status).toBe(422);
    }
  });

  test.each(['/.well-known/jwks.json', '/api/v1/auth/jwks'])(
    '%s may be kept for five minutes, and a day longer when nobody answers',
    async (path) => {
      const { headers } = await app.send({ path });
      expect(headers['cache-control']).toBe('public, max-age=300, stale-if-error=86400');
    },
  );

  test('every installation has endpoints of its own under the one issuer', async () => {
    const { json } = await app.send({
      path: '/.well-known/oauth-authorization-server',
      host: 'other.localhost',
    });
    expect(json).toMatchObject({
      issuer: 'http://demo.localhost',
      token_endpoint: 'http://other.localhost/api/v1/auth/token',
      jwks_uri: 'http://other.localhost/.well-known/jwks.json',
    });
  });
});

describe.each([
  ['in one process', false],
  ['with subgraphs in processes of their own', true],
])('an issuer URL without an installation, %s', (_, isApart) => {
  beforeAll(async () => {
    app = await openTestApp({ issuer: 'https://issuer.test', apart: isApart });
  }, 60_000);
  afterAll(() => app.close());
  const ask = (path: string, host = 'issuer.test') => app.send({ path, host });

  test('shows keys and metadata, and nothing else', async () => {
    const metadata = await ask('/.well-known/oauth-authorization-server');
    expect(metadata.json).toEqual({
      issuer: 'https://issuer.test',
      jwks_uri: 'https://issuer.test/.well-known/jwks.json',
      response_types_supported: [],
      grant_types_supported: [],
    });
    const keys = await ask('/.well-known/jwks.json');
    expect([keys.status, keys.json]).toEqual([200, (await ask('/api/v1/auth/jwks', 'demo.localhost')).json]);
    for (const path of ['/api/v1/auth/jwks', '/api/v1/catalog/listings', '/api/v1/me'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  test('is no other host', async () => {
    expect((await ask('/.well-known/jwks.json', 'nowhere.test')).status).toBe(404);
  });
});
