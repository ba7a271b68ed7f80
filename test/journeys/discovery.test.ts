import {
  allowInsecureRequests,
  customFetch,
  discovery,
  genericGrantRequest,
  None,
  ResponseBodyError,
  refreshTokenGrant,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { grantTypes } from '../../schema/grantTypes.ts';
import { product } from '../support/product.ts';
import { seed } from '../support/seed.ts';

/*
 * Third-party client libraries use this authorization server. The issuer URL of the first deployment is the base URL of
 * its installation `demo`. No installation has the issuer URL of the second deployment.
 */

const metadataPath = '/.well-known/oauth-authorization-server';

describe('a deployment whose issuer URL is that of an installation', () => {
  const world = product({ issuer: 'http://demo.localhost' });
  const call = (method: string, path: string, body?: object, host = 'demo.localhost') =>
    world.stack.rest(method, path, { host, body });
  const user = async (options = {}) => (await seed(world.stack).in(world.stack.demo)).user(options);

  /** `fetch` of the libraries, for host names that only the product knows. */
  async function fetchHere(
    input: string,
    init: { method?: string; headers?: HeadersInit; body?: unknown } = {},
  ) {
    const { host, pathname, search } = new URL(input);
    const { status, headers, body } = await world.stack.rest(init.method ?? 'GET', pathname + search, {
      host,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body,
    });
    return new Response(JSON.stringify(body), { status, headers });
  }
  const discover = () =>
    discovery(new URL('http://demo.localhost'), 'shop-web', undefined, None(), {
      algorithm: 'oauth2',
      execute: [allowInsecureRequests],
      [customFetch]: fetchHere,
    });

  test('lets openid-client discover the server by its issuer, sign in and refresh', async () => {
    const password = 'plum-tractor-9-violin';
    const { email } = await user({ password });
    const configuration = await discover();
    const issued = await genericGrantRequest(configuration, 'password', { username: email, password });
    expect(issued).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'user' });
    const renewed = await refreshTokenGrant(configuration, issued.refresh_token ?? '');
    expect(renewed.refresh_token).not.toBe(issued.refresh_token);
    const token = renewed.access_token;
    const me = await world.stack.rest('GET', '/api/v1/me', { host: 'demo.localhost', token });
    expect(me).toMatchObject({ status: 200, body: { email } });
  });

  test('lets openid-client read the errors of the token endpoint', async () => {
    const configuration = await discover();
    const failureOf = (grant: string, parameters: Record<string, string>) =>
      genericGrantRequest(configuration, grant, parameters).catch((error: unknown) => error);
    const unsupported = await failureOf('implicit', {});
    expect(unsupported).toBeInstanceOf(ResponseBodyError);
    expect(unsupported).toMatchObject({ status: 400, error: 'unsupported_grant_type' });
    const refused = await failureOf('password', { username: 'nobody@example.org', password: 'wrong' });
    expect(refused).toBeInstanceOf(WWWAuthenticateChallengeError);
    const { response } = refused as WWWAuthenticateChallengeError;
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ error: 'invalid_grant', code: 'invalid_credentials' });
  });

  test('publishes metadata that names exactly the supported grants and existing endpoints', async () => {
    const metadata = (await discover()).serverMetadata();
    expect(metadata.grant_types_supported).toEqual([...grantTypes]);
    const codeOf = async (grant_type: string) =>
      (await call('POST', '/api/v1/auth/token', { grant_type })).body.code;
    for (const grant of grantTypes)
      expect([grant, await codeOf(grant)]).not.toContain('unsupported_grant_type');
    expect(await codeOf('implicit')).toBe('unsupported_grant_type');
    for (const url of [metadata.token_endpoint, metadata.revocation_endpoint])
      expect(await call('POST', new URL(url ?? '').pathname, {})).toBeRefused(422);
    expect(await call('GET', new URL(metadata.jwks_uri ?? '').pathname)).toMatchObject({ status: 200 });
  });

  test.each(['/.well-known/jwks.json', '/api/v1/auth/jwks'])(
    'serves %s with a cache lifetime of five minutes, and of a day if the server fails',
    async (path) => {
      const { headers } = await call('GET', path);
      expect(headers.get('cache-control')).toBe('public, max-age=300, stale-if-error=86400');
    },
  );

  test('publishes separate endpoints for another installation under the same issuer', async () => {
    const { body } = await call('GET', metadataPath, undefined, 'other.localhost');
    expect(body).toMatchObject({
      issuer: 'http://demo.localhost',
      token_endpoint: 'http://other.localhost/api/v1/auth/token',
      jwks_uri: 'http://other.localhost/.well-known/jwks.json',
    });
  });
});

describe.each([
  ['in one process', false],
  ['with subgraphs in separate processes', true],
])('an issuer URL without an installation, %s', (_, apart) => {
  const { send } = product({ issuer: 'https://issuer.test', apart });
  const read = (path: string, host = 'issuer.test') => send({ path, host });

  test('serves only keys and metadata', async () => {
    expect((await read(metadataPath)).json).toEqual({
      issuer: 'https://issuer.test',
      jwks_uri: 'https://issuer.test/.well-known/jwks.json',
      response_types_supported: [],
      grant_types_supported: [],
    });
    const keys = await read('/.well-known/jwks.json');
    expect([keys.status, keys.json]).toEqual([200, (await read('/api/v1/auth/jwks', 'demo.localhost')).json]);
    for (const path of ['/api/v1/auth/jwks', '/api/v1/catalog/listings', '/api/v1/me'])
      expect([path, (await read(path)).status]).toEqual([path, 404]);
    expect((await read('/.well-known/jwks.json', 'nowhere.test')).status).toBe(404);
  });
});
