import { errorCodes } from '../../../schema/errorCodes.ts';
import { useFacade } from '../../../test/support/facade/startFacade.ts';

let ready = true;
const facade = useFacade({ isReady: () => ready, restRoot: '/plugins/rest' });

test.each(['/api/v1/health', '/health/live'])(
  '%s is answered without authentication of the caller',
  async (path) => {
    const before = facade.opened.length;
    const call = { token: 'rejected', headers: { host: 'nowhere.example' } };
    const { status, json, headers } = await facade.call(path, call);
    expect([status, json, headers['cache-control']]).toEqual([200, { status: 'ok' }, 'no-store']);
    expect(facade.opened.length).toBe(before);
  },
);

test('/health/ready returns 503 with Retry-After while the service is not ready', async () => {
  expect((await facade.call('/health/ready')).status).toBe(200);
  ready = false;
  const { status, json, headers } = await facade.call('/health/ready');
  expect([status, json, headers['retry-after']]).toEqual([503, { status: 'not_ready' }, '1']);
  ready = true;
});

test('the contract states the REST root of this deployment and refuses only rejected tokens', async () => {
  const { json, text, headers } = await facade.call('/api/v1/openapi.json');
  const { paths, openapi, servers } = json as { paths: object; openapi: string; servers: object };
  expect(openapi).toBe('3.1.0');
  expect(servers).toEqual([{ url: 'https://shop.example', description: 'Installation of the host name' }]);
  expect(Object.keys(paths)).toContain('/plugins/rest/seo-tools/v1');
  expect(text).not.toContain('"/api/rest/');
  const read = (more: Record<string, string>) => facade.call('/api/v1/openapi.json', { headers: more });
  const known = await read({ 'if-none-match': headers.etag ?? '' });
  expect([known.status, known.text]).toEqual([304, '']);
  expect((await read({ authorization: 'Bearer rejected' })).status).toBe(401);
  expect((await read({ authorization: 'Basic eDp5' })).status).toBe(200);
});

test.each([
  ['a', 'Trigate: Identity-guarded API'],
  ['b', 'Trigate: Search-optimization editor API'],
  ['c', 'Trigate: Translation API'],
])('/docs/openapi/%s returns the contract of one interface', async (name, title) => {
  const { json } = await facade.call(`/docs/openapi/${name}`);
  const { info, paths, servers } = json as {
    info: { title: string };
    paths: Record<string, Record<string, any>>;
    servers: object;
  };
  expect(servers).toMatchObject([{ url: 'https://shop.example' }]);
  expect(info.title).toBe(title);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  expect(new Set(operations.map((one) => one['x-interface']))).toEqual(new Set([name.toUpperCase()]));
  expect((await facade.call('/docs/openapi/d')).json).toMatchObject({ status: 404, code: 'not_found' });
});

test('the authorization server metadata come from the configuration, not from the Host header', async () => {
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

test('interface B has an index of its routes with their arguments, and interface C has none', async () => {
  const { json } = await facade.call('/plugins/rest/seo-tools/v1/');
  expect((await facade.call('/plugins/rest/seo-tools/v1')).json).toEqual(json);
  expect(json).toMatchObject({ namespace: 'seo-tools/v1', version: '1.3.1' });
  const { routes } = json as { routes: { path: string; operation: string; body?: object }[] };
  expect(routes.map(({ operation }) => operation)).toEqual(['seoRecord', 'analyze']);
  const path = '/plugins/rest/seo-tools/v1/analysis';
  expect(routes[1]).toMatchObject({ path, body: { required: ['content'] } });
  for (const at of ['/plugins/rest/translation/v1', '/plugins/rest/translation/v1/'])
    expect((await facade.call(at)).status).toBe(404);
});

test('the address of every problem type describes it as JSON, and an unknown one returns 404', async () => {
  const read = async (path: string) =>
    (await facade.call(path, { headers: { accept: 'application/json' } })).json;
  for (const [code, status] of Object.entries(errorCodes)) {
    const described = { code, status, meaning: expect.stringMatching(/\S{3}/) };
    expect(await read(`/problems/${code}`)).toMatchObject(described);
  }
  const { data } = (await read('/problems')) as { data: object[] };
  expect(data).toHaveLength(Object.keys(errorCodes).length);
  expect(await read('/problems/%3Cscript%3E')).toMatchObject({ code: 'not_found' });
});

test.each(['/docs', '/docs/rest', '/docs/listings', '/problems'])(
  '%s allows only scripts of this host, and its files are served',
  async (path) => {
    const { text, headers } = await facade.call(path);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self';/);
    const links = text.matchAll(/(?:src|<link[^>]* href)="(\/[^"]+)"/g);
    const sources = [...links].map(([, source = '']) => source);
    expect(sources.length).toBeGreaterThanOrEqual(3);
    for (const source of sources) expect((await facade.call(source)).status).toBe(200);
  },
);

test.each(['package.json', '..%2Fpackage.json', 'constructor', 'constructor.js', 'swagger-ui.js.map'])(
  'the documentation refuses to serve the file %s',
  async (name) => {
    expect((await facade.call(`/docs/${name}`)).json).toMatchObject({ status: 404, code: 'not_found' });
  },
);

test.each(['/docs', '/problems', '/health/live', '/.well-known/oauth-authorization-server'])(
  '%s answers GET, HEAD and OPTIONS only',
  async (path) => {
    expect((await facade.call(path, { method: 'HEAD' })).status).toBe(200);
    expect((await facade.call(path, { method: 'OPTIONS' })).headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await facade.call(path, { method: 'POST', token: 'user' })).status).toBe(405);
  },
);
