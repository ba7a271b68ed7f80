import { createServer, request as startRequest } from 'node:http';
import { tmpdir } from 'node:os';
import express from 'express';
import { createDiskStorage } from '../subgraphs/platform/storage/diskStorage.ts';
import { fixtureRoutes } from '../test/support/facade/routes.ts';
import { type Call, shopGateway, useFacade } from '../test/support/facade/startFacade.ts';
import { listenLocally } from '../test/support/servers/listenLocally.ts';
import { createFacade } from './createFacade.ts';

const facade = useFacade();
const seo = '/api/rest/seo-tools/v1';
const translation = '/api/rest/translation/v1';
const [user, rejected] = [{ token: 'user' }, { token: 'rejected' }];
const post = { method: 'POST' };

// test/hostile-input and test/rest-behaviour hold unknown paths, other methods and OPTIONS for every route.
test.each<[string, string, Call, number, string]>([
  ['A, unknown path, no token', '/api/v1/nope', {}, 401, 'token_missing'],
  ['A, unknown path, rejected token', '/api/v1/nope', rejected, 401, 'token_expired'],
  ['A, unknown path, user', '/api/v1/nope', user, 404, 'route_not_found'],
  ['A, other method of a public path, no token', '/api/v1/auth/providers', post, 401, 'token_missing'],
  ['A, other method of an adapter, no token', '/api/v1/health', post, 401, 'token_missing'],
  ['A, trailing slash', '/api/v1/auth/providers/', {}, 401, 'token_missing'],
  ['A, upper case', '/api/v1/AUTH/providers', {}, 401, 'token_missing'],
  ['A, prefix in upper case', '/API/V1/auth/providers', {}, 401, 'token_missing'],
  ['A, escaped slash', '/api/v1/auth%2fproviders', {}, 401, 'token_missing'],
  ['A, escaped letter', '/api/v1/auth/%70roviders', {}, 401, 'token_missing'],
  ['A, root alone', '/api/v1', {}, 401, 'token_missing'],
  ['A, dot segments', '/api/v1/auth/providers/../../me', {}, 401, 'token_missing'],
  ['B, unknown path, no token', `${seo}/nope`, {}, 404, 'route_not_found'],
  ['C, public path, rejected token', `${translation}/languages`, rejected, 401, 'token_expired'],
  ['unknown host', '/api/v1/me', { ...user, headers: { host: 'nowhere.example' } }, 404, 'not_found'],
  ['absolute address, unknown path', 'http://elsewhere.example', user, 404, 'route_not_found'],
])('a request is refused before its route is run: %s', async (_, path, call, status, code) => {
  expect((await facade.call(path, call)).json).toMatchObject({ code, status });
});

describe('a path without a page', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test.each(['/nothing', '/docs/nothing', '/problems/nothing', '/account/nothing'])(
    'is answered to a browser with a page that links the start page and the documentation: %s',
    async (path) => {
      const { status, headers, text } = await facade.call(path, { headers: browser });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers.vary).toContain('Accept');
      expect(text).toMatch(/<a href="\/">.*<a href="\/docs">/s);
    },
  );

  test.each([{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'application/problem+json' }])(
    'is answered to a client of the API with a problem: %j',
    async (headers) => {
      const { status, json } = await facade.call('/nothing', { headers });
      expect([status, json]).toMatchObject([404, { code: 'route_not_found' }]);
    },
  );

  test('is answered with a problem below the path of an interface', async () => {
    const { json } = await facade.call(`${seo}/nope`, { headers: browser });
    expect(json).toMatchObject({ code: 'route_not_found' });
  });
});

test('an absolute URL in the request line is read as its path', async () => {
  expect((await facade.call('http://elsewhere.example/api/v1/me', user)).status).toBe(200);
});

const suspend = '/api/v1/admin/users/u/suspend';
const plain = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };
const large = 'x'.repeat(300_000);

test.each<[string, string, string | undefined, Record<string, string>, string, number]>([
  ['identity before the body', suspend, undefined, plain, '{', 401],
  ['permission before the body', suspend, 'user', plain, '{', 403],
  ['media type before size', suspend, 'admin', plain, large, 415],
  ['size before parameters', '/api/v1/admin/users/%ff/suspend?nope=1', 'admin', json, large, 413],
  ['parameters before members', `${suspend}?nope=1`, 'admin', json, '{"x":1}', 400],
  ['JSON before members', suspend, 'admin', json, '{', 400],
  ['members', suspend, 'admin', json, '{"x":1}', 422],
])('the checks of a request run in order: %s', async (_, path, token, headers, body, status) => {
  const call = { method: 'POST', headers, body, ...(token !== undefined && { token }) };
  expect((await facade.call(path, call)).status).toBe(status);
});

test('the body of a caller without the permission is not read', async () => {
  const headers = { ...json, authorization: 'Bearer user', 'content-length': '100' };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = startRequest(
      { port: facade.port, path: suspend, method: 'POST', headers },
      (response) => {
        resolve(response.statusCode);
        request.destroy();
      },
    );
    request.on('error', reject);
    request.flushHeaders();
  });
  expect(status).toBe(403);
});

test.each([
  ['without a token', {}, 'Bearer realm="ins_shop"'],
  [
    'with a rejected token',
    rejected,
    'Bearer realm="ins_shop", error="invalid_token", error_description="expired"',
  ],
])('a request %s gets a WWW-Authenticate challenge, which is not cached', async (_, call, challenge) => {
  const { headers } = await facade.call('/api/v1/me', call);
  expect(headers).toMatchObject({ 'www-authenticate': challenge, 'cache-control': 'no-store' });
});

test('a refusal names the missing permission and has no challenge', async () => {
  const { json: body, headers } = await facade.call('/api/v1/admin/roles', user);
  const missing = { code: 'permission_required', requiredPermission: 'roles:read', status: 403 };
  expect(body).toMatchObject(missing);
  expect(headers['www-authenticate']).toBeUndefined();
});

test('the facade passes paths of no interface on to the next Express handler', async () => {
  const key = Buffer.alloc(32);
  const app = express();
  app.use((_request, response, next) => {
    response.setHeader('Vary', 'Origin');
    next();
  });
  app.use(
    await createFacade({
      gateway: shopGateway(),
      routes: fixtureRoutes(),
      issuer: 'https://i.example',
      isReady: () => true,
      files: { storage: createDiskStorage(tmpdir()), secret: key, uploadSecret: key, now: Date.now },
      log: { error: () => {} },
      unknownPaths: 'next',
    }),
  );
  app.use((_request, response) => void response.status(299).end());
  const server = await listenLocally(createServer(app));
  const get = (path: string) => fetch(`${server.url}${path}`);
  const answers = await Promise.all(
    ['/other', '/api/v1/other', '/api/rest/other', '/api/v1/health'].map(get),
  );
  expect(answers.map(({ status }) => status)).toEqual([299, 401, 404, 200]);
  const { headers } = await get('/api/v1/catalog/listings/lst_1');
  expect(headers.get('vary')).toBe('Origin, Authorization, Accept-Language');
  await server.close();
});
