import { errorCodes } from '../../../schema/errorCodes.ts';
import { type RunningFacade, startFacade } from '../../fixture/startFacade.ts';

let ready = true;
let facade: RunningFacade;
beforeAll(async () => {
  facade = await startFacade({ isReady: () => ready, restRoot: '/plugins/rest' });
});
afterAll(() => facade.close());

test('health and liveness ask nobody and look at no token', async () => {
  const before = facade.opened.length;
  for (const path of ['/api/v1/health', '/health/live']) {
    const reply = await facade.call(path, { token: 'rejected', headers: { host: 'nowhere.example' } });
    expect([reply.status, reply.json, reply.headers['cache-control']]).toEqual([
      200,
      { status: 'ok' },
      'no-store',
    ]);
  }
  expect(facade.opened.length).toBe(before);
});

test('readiness follows the service', async () => {
  expect((await facade.call('/health/ready')).status).toBe(200);
  ready = false;
  const reply = await facade.call('/health/ready');
  expect([reply.status, reply.json, reply.headers['retry-after']]).toEqual([
    503,
    { status: 'not_ready' },
    '1',
  ]);
  ready = true;
});

test('the contract is served where this deployment mounts it, with a validator, to all but rejected tokens', async () => {
  const reply = await facade.call('/api/v1/openapi.json');
  const { paths, openapi } = reply.json as { paths: object; openapi: string };
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).toContain('/plugins/rest/seo-tools/v1');
  expect(reply.text).not.toContain('"/api/rest/');
  const again = await facade.call('/api/v1/openapi.json', {
    headers: { 'if-none-match': reply.headers.etag ?? '' },
  });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await facade.call('/api/v1/openapi.json', { token: 'rejected' })).status).toBe(401);
  expect(
    (await facade.call('/api/v1/openapi.json', { headers: { authorization: 'Basic eDp5' } })).status,
  ).toBe(200);
});

test('the contract of one interface has its operations and only what they mention', async () => {
  for (const [name, title] of [
    ['a', 'Trigate: Identity-guarded API'],
    ['b', 'Trigate: Search-optimization editor API'],
    ['c', 'Trigate: Translation API'],
  ] as const) {
    const { json, text } = await facade.call(`/docs/openapi/${name}`);
    const { info, paths } = json as { info: { title: string }; paths: Record<string, Record<string, any>> };
    expect(info.title).toBe(title);
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    expect(operations.length).toBeGreaterThan(5);
    expect(new Set(operations.map((one) => one['x-interface']))).toEqual(new Set([name.toUpperCase()]));
    expect(danglingReferences(text)).toEqual([]);
  }
  const { json } = await facade.call('/docs/openapi/c');
  expect(Object.keys((json as any).components.schemas)).not.toContain('Listing');
  expect((await facade.call('/docs/openapi/d')).json).toMatchObject({ status: 404, code: 'not_found' });
});

/** References to components that a document lacks. */
function danglingReferences(text: string): string[] {
  const { components } = JSON.parse(text) as { components: Record<string, Record<string, unknown>> };
  return [...text.matchAll(/"#\/components\/([^/"]+)\/([^/"]+)"/g)]
    .filter(([, group = '', name = '']) => components[group]?.[name] === undefined)
    .map(([reference]) => reference);
}

test('the authorization server describes itself by configuration, never by the request’s host', async () => {
  const { json } = await facade.call('/.well-known/oauth-authorization-server', {
    headers: { host: 'evil.example' },
  });
  expect(json).toMatchObject({
    issuer: 'https://issuer.example',
    token_endpoint: 'https://shop.example/api/v1/auth/token',
    jwks_uri: 'https://shop.example/.well-known/jwks.json',
    response_types_supported: [],
  });
});

test('the namespace of B lists its routes with their arguments, and nothing of other interfaces', async () => {
  const { json } = await facade.call('/plugins/rest/seo-tools/v1/');
  expect((await facade.call('/plugins/rest/seo-tools/v1')).json).toEqual(json);
  expect(json).toMatchObject({ namespace: 'seo-tools/v1', version: '1.3.1' });
  const { routes } = json as { routes: { path: string; operation: string; body?: object }[] };
  expect(routes.map(({ operation }) => operation)).toEqual(['seoRecord', 'analyze']);
  expect(routes[1]).toMatchObject({
    path: '/plugins/rest/seo-tools/v1/analysis',
    body: { required: ['content'] },
  });
});

test('C has no namespace index', async () => {
  expect((await facade.call('/plugins/rest/translation/v1/')).status).toBe(404);
  expect((await facade.call('/plugins/rest/translation/v1')).status).toBe(404);
});

test.each(Object.entries(errorCodes))('the address of problem %s documents it', async (code, status) => {
  const page = await facade.call(`/problems/${code}`, { headers: { accept: 'text/html' } });
  expect([page.status, page.text.includes(`HTTP status ${status}`)]).toEqual([200, true]);
  const { json } = await facade.call(`/problems/${code}`, { headers: { accept: 'application/json' } });
  expect(json).toMatchObject({ code, status, meaning: expect.stringMatching(/\S{3}/) });
});

test('the index of problems has them all, and an unknown one is a problem itself', async () => {
  const { json } = await facade.call('/problems', { headers: { accept: 'application/json' } });
  expect((json as { data: object[] }).data).toHaveLength(Object.keys(errorCodes).length);
  expect((await facade.call('/problems/%3Cscript%3E')).json).toMatchObject({ code: 'not_found' });
});

describe('documentation', () => {
  test.each(['/docs', '/docs/rest', '/docs/listings', '/problems'])(
    '%s loads nothing from other hosts and runs nothing inline',
    async (path) => {
      const { text, headers } = await facade.call(path);
      expect(text).not.toMatch(/(?:src|<link[^>]* href)="https?:|<script>|<style|style=|onload/);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self';/);
      const sources = [...text.matchAll(/(?:src|<link[^>]* href)="(\/[^"]+)"/g)].map(
        ([, source = '']) => source,
      );
      expect(sources.length).toBeGreaterThanOrEqual(3);
      for (const source of sources) expect((await facade.call(source)).status).toBe(200);
    },
  );

  test.each(['package.json', '..%2Fpackage.json', 'constructor', 'constructor.js', 'swagger-ui.js.map'])(
    'serves no file %s',
    async (name) => {
      expect((await facade.call(`/docs/${name}`)).json).toMatchObject({ status: 404, code: 'not_found' });
    },
  );
});

test('what is only there to be read answers HEAD and OPTIONS, and nothing else', async () => {
  for (const path of ['/docs', '/problems', '/health/live', '/.well-known/oauth-authorization-server']) {
    expect((await facade.call(path, { method: 'HEAD' })).status).toBe(200);
    expect((await facade.call(path, { method: 'OPTIONS' })).headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await facade.call(path, { method: 'POST', token: 'user' })).status).toBe(405);
  }
});
