import { createServer, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import express from 'express';
import { createDiskStorage } from '../subgraphs/platform/storage/diskStorage.ts';
import { createFacade } from './createFacade.ts';
import { fixtureRoutes } from './fixture/routes.ts';
import { type Call, type RunningFacade, shopGateway, startFacade } from './fixture/startFacade.ts';

let facade: RunningFacade;
beforeAll(async () => {
  facade = await startFacade();
});
afterAll(() => facade.close());

const seo = '/api/rest/seo-tools/v1';
const translation = '/api/rest/translation/v1';
const rejected = 'rejected';

describe('before a route', () => {
  const cases: [string, string, Call, number, string?][] = [
    ['A: unknown path, nobody', '/api/v1/nope', {}, 401, 'token_missing'],
    ['A: unknown path, rejected token', '/api/v1/nope', { token: rejected }, 401, 'token_expired'],
    ['A: unknown path, member', '/api/v1/nope', { token: 'user' }, 404, 'route_not_found'],
    ['A: wrong method, nobody', '/api/v1/me', { method: 'POST' }, 401, 'token_missing'],
    ['A: wrong method, member', '/api/v1/me', { method: 'POST', token: 'user' }, 405, 'method_not_allowed'],
    [
      'A: wrong method on a public path, nobody',
      '/api/v1/auth/providers',
      { method: 'POST' },
      401,
      'token_missing',
    ],
    [
      'A: wrong method on a public path, member',
      '/api/v1/auth/providers',
      { method: 'POST', token: 'user' },
      405,
    ],
    ['A: wrong method on an adapter, nobody', '/api/v1/health', { method: 'POST' }, 401],
    ['A: made-up method, nobody', '/api/v1/me', { method: 'PROPFIND' }, 401],
    ['A: made-up method, member', '/api/v1/me', { method: 'PROPFIND', token: 'user' }, 405],
    ['A: public path with a trailing slash', '/api/v1/auth/providers/', {}, 401],
    ['A: public path in upper case', '/api/v1/AUTH/providers', {}, 401],
    ['A: prefix in upper case', '/API/V1/auth/providers', {}, 401],
    ['A: public path with an escaped slash', '/api/v1/auth%2fproviders', {}, 401],
    ['A: public path with an escaped letter', '/api/v1/auth/%70roviders', {}, 401],
    ['A: the bare root', '/api/v1', {}, 401],
    ['A: public path as a detour', '/api/v1/auth/providers/../../me', {}, 401],
    ['B: unknown path, nobody', `${seo}/nope`, {}, 404, 'route_not_found'],
    ['B: wrong method, nobody', `${seo}/analysis`, { method: 'GET' }, 405],
    ['B: known, nobody', `${seo}/records/1`, {}, 401],
    ['B: known, without the permission', `${seo}/records/1`, { token: 'user' }, 403, 'permission_required'],
    ['C: wrong method, nobody', `${translation}/languages`, { method: 'POST' }, 405],
    ['C: known, nobody', `${translation}/translations?id=1`, {}, 401],
    ['C: public, nobody', `${translation}/languages`, {}, 200],
    ['C: public, rejected token', `${translation}/languages`, { token: rejected }, 401],
    ['elsewhere', '/nope', {}, 404, 'route_not_found'],
    ['a version that does not exist', '/api/v2/me', {}, 404],
  ];
  // Rows of one length: jest takes a missing argument for its callback.
  const rows = cases.map(
    ([name, path, call, status, code = '']) => [name, path, call, status, code] as const,
  );
  test.each(rows)('%s', async (_, path, call, status, code) => {
    const reply = await facade.call(path, call);
    expect(reply.status).toBe(status);
    if (code !== '') expect(reply.json).toMatchObject({ code, status });
  });

  test.each(['strings', 'suggestions', 'import', 'export', 'status'])(
    'C has no /%s for anybody, by any method, and asks nobody who they are',
    async (name) => {
      const before = facade.opened.length;
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']) {
        for (const token of [undefined, 'admin', rejected]) {
          const call = token === undefined ? { method } : { method, token };
          expect((await facade.call(`${translation}/${name}`, call)).status).toBe(404);
        }
      }
      expect(facade.opened.length).toBe(before);
    },
  );

  test('a wrong method is told which ones there are', async () => {
    const { headers } = await facade.call('/api/v1/listings', { method: 'DELETE', token: 'user' });
    expect(headers.allow).toBe('GET, POST, HEAD, OPTIONS');
  });

  test('OPTIONS lists the methods to everybody and opens no context', async () => {
    const before = facade.opened.length;
    const reply = await facade.call('/api/v1/me', { method: 'OPTIONS' });
    expect([reply.status, reply.headers.allow, reply.text]).toEqual([204, 'GET, PATCH, HEAD, OPTIONS', '']);
    expect(facade.opened.length).toBe(before);
  });

  test('a URL over 8 KiB is refused before anything else', async () => {
    const reply = await facade.call(`/api/v1/me?${'x'.repeat(8200)}`, {});
    expect([reply.status, reply.json]).toMatchObject([414, { code: 'uri_too_long' }]);
  });

  test('a host of no installation is its own problem', async () => {
    const reply = await facade.call('/api/v1/me', { token: 'user', headers: { host: 'nowhere.example' } });
    expect([reply.status, reply.json]).toMatchObject([
      404,
      { code: 'not_found', type: '/problems/not_found' },
    ]);
  });

  test('an absolute address in the request line means its path', async () => {
    expect((await facade.call('http://elsewhere.example/api/v1/me', { token: 'user' })).status).toBe(200);
    expect((await facade.call('http://elsewhere.example', { token: 'user' })).status).toBe(404);
  });
});

describe('inside a route', () => {
  const broken: Call = { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } };
  const json = { 'content-type': 'application/json' };

  test.each<[string, string, Call, number]>([
    ['identity 401 before the body', '/api/v1/admin/users/{x}/suspend', broken, 401],
    ['permission 403 before the body', '/api/v1/admin/users/{x}/suspend', { ...broken, token: 'user' }, 403],
    [
      'media type 415 before size',
      '/api/v1/admin/users/u/suspend',
      { ...broken, token: 'admin', body: 'x'.repeat(300_000) },
      415,
    ],
    [
      'size 413 before parameters',
      '/api/v1/admin/users/%ff/suspend?nope=1',
      { ...broken, token: 'admin', headers: json, body: 'x'.repeat(300_000) },
      413,
    ],
    [
      'parameters 400 before fields',
      '/api/v1/admin/users/u/suspend?nope=1',
      { ...broken, token: 'admin', headers: json, body: '{"x":1}' },
      400,
    ],
    [
      'JSON 400 before fields',
      '/api/v1/admin/users/u/suspend',
      { ...broken, token: 'admin', headers: json },
      400,
    ],
    [
      'fields 422',
      '/api/v1/admin/users/u/suspend',
      { ...broken, token: 'admin', headers: json, body: '{"x":1}' },
      422,
    ],
  ])('%s', async (_, path, call, status) => {
    expect((await facade.call(path, call)).status).toBe(status);
  });

  test('a body is not read for a caller who may not send it', async () => {
    const reply = await new Promise<number>((resolve, reject) => {
      const request = startRequest(
        {
          port: facade.port,
          path: '/api/v1/admin/users/u/suspend',
          method: 'POST',
          headers: {
            authorization: 'Bearer user',
            'content-type': 'application/json',
            'content-length': '100',
          },
        },
        (response) => {
          resolve(response.statusCode ?? 0);
          request.destroy();
        },
      );
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(reply).toBe(403);
  });

  test.each([
    ['nobody', {}, 'Bearer realm="ins_shop"'],
    [
      'a rejected token',
      { token: rejected },
      'Bearer realm="ins_shop", error="invalid_token", error_description="expired"',
    ],
  ])('a 401 for %s names its scheme and what was wrong', async (_, call, challenge) => {
    expect((await facade.call('/api/v1/me', call)).headers['www-authenticate']).toBe(challenge);
  });

  test('a 403 says what is lacking and sends no challenge', async () => {
    const { json: body, headers } = await facade.call('/api/v1/admin/roles', { token: 'user' });
    expect(body).toMatchObject({
      code: 'permission_required',
      requiredPermission: 'roles:read',
      status: 403,
    });
    expect(headers['www-authenticate']).toBeUndefined();
  });
});

test('in Express, paths of nobody are left to the handlers behind', async () => {
  const app = express();
  const options = {
    gateway: shopGateway(),
    routes: fixtureRoutes(),
    issuer: 'https://i.example',
    isReady: () => true,
    files: {
      storage: createDiskStorage(tmpdir()),
      secret: Buffer.alloc(32),
      uploadSecret: Buffer.alloc(32),
      now: Date.now,
    },
  };
  app.use((_request, response, next) => {
    response.setHeader('Vary', 'Origin');
    next();
  });
  app.use(createFacade({ ...options, log: { error: () => {} }, unknownPaths: 'next' }));
  app.use((_request, response) => void response.status(299).end());
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect(
    await Promise.all(['/other', '/api/v1/other', '/api/rest/other', '/api/v1/health'].map(statusOf)),
  ).toEqual([299, 401, 404, 200]);
  const { headers } = await fetch(`http://127.0.0.1:${port}/api/v1/catalog/listings/lst_1`);
  expect(headers.get('vary')).toBe('Origin, Authorization, Accept-Language');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
