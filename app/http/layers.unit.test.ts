import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listenLocally } from '../../test/support/servers/listenLocally.ts';
import { perFile } from '../../test/support/stack/lazily.ts';
import { allowOrigins } from './allowOrigins.ts';
import { compressAnswers, type Layer } from './compressAnswers.ts';
import { protectBrowsers } from './protectBrowsers.ts';

const text = JSON.stringify({ data: Array.from({ length: 200 }, (_, index) => ({ id: `lst_${index}` })) });
let layer: Layer;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

const local = perFile(() =>
  listenLocally(
    createServer((request, response) => layer(request, response, () => answer(request, response))),
  ),
);
afterAll(() => local.close());
beforeEach(() => {
  layer = compressAnswers();
  answer = json();
});

/** Writes as the facade does: everything at once, the headers in `writeHead`. */
function json(headers: Record<string, string> = {}, body = text) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const tag = '"5-0a1b2c3d"';
    if (request.headers['if-none-match'] === tag) {
      response.writeHead(304, { ETag: tag }).end();
      return;
    }
    const length = String(Buffer.byteLength(body));
    response.writeHead(200, {
      'Content-Type': 'application/json',
      ETag: tag,
      'Content-Length': length,
      ...headers,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

interface Got {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
}

function get(headers: Record<string, string>, path = '/', method = 'GET'): Promise<Got> {
  const { port } = local;
  return new Promise((got, failed) => {
    const call = startRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        got({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    call.on('error', failed).end();
  });
}

describe('compression', () => {
  test.each([
    ['br', 'gzip, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip', 'br;q=0, gzip', gunzipSync],
  ])('a response is encoded in %s for Accept-Encoding: %s', async (coding, accepted, decode) => {
    const { headers, bytes } = await get({ 'accept-encoding': accepted });
    expect(headers).toMatchObject({
      'content-encoding': coding,
      vary: 'Accept-Encoding',
      etag: `"5-0a1b2c3d-${coding}"`,
    });
    expect(headers['content-length']).toBeUndefined();
    expect(decode(bytes).toString()).toBe(text);
    expect(bytes.length).toBeLessThan(text.length / 2);
  });

  test.each([
    ['no coding is accepted', {}, {}, '/', text],
    ['only an unknown coding is accepted', { 'accept-encoding': 'zstd, identity' }, {}, '/', text],
    ['it is short', { 'accept-encoding': 'br' }, {}, '/', '{"id":"lst_1"}'],
    ['it is a file', { 'accept-encoding': 'br' }, { 'Accept-Ranges': 'bytes' }, '/', text],
    ['it is an image', { 'accept-encoding': 'br' }, { 'Content-Type': 'image/webp' }, '/', text],
    ['it is no-transform', { 'accept-encoding': 'br' }, { 'Cache-Control': 'no-transform' }, '/', text],
    ['it holds tokens', { 'accept-encoding': 'br' }, {}, '/api/v1/auth/token', text],
    ['it sets a cookie', { 'accept-encoding': 'br' }, { 'Set-Cookie': 'a=b' }, '/', text],
  ])('a response is left unencoded when %s', async (_, headers, own, path, body) => {
    answer = json(own, body);
    const got = await get(headers, path);
    expect([got.headers['content-encoding'], got.bytes.toString()]).toEqual([undefined, body]);
    expect(got.headers.etag).toBe('"5-0a1b2c3d"');
    expect(got.headers['content-length']).toBe(String(body.length));
  });

  test('the ETag of an encoded response is recognised and repeated by 304', async () => {
    const { status, headers } = await get({ 'accept-encoding': 'br', 'if-none-match': '"5-0a1b2c3d-br"' });
    expect([status, headers.etag]).toEqual([304, '"5-0a1b2c3d-br"']);
    const plain = await get({ 'if-none-match': '"5-0a1b2c3d"' });
    expect([plain.status, plain.headers.etag]).toEqual([304, '"5-0a1b2c3d"']);
  });

  test('If-Match is passed on without the suffix of the content coding', async () => {
    let seen: string | undefined;
    answer = (request, response) => {
      seen = request.headers['if-match'];
      response.writeHead(204).end();
    };
    await get({ 'if-match': '"5-0a1b2c3d-gzip", "4-ffffffff"' });
    expect(seen).toBe('"5-0a1b2c3d", "4-ffffffff"');
  });

  test('server-sent events are not encoded', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: 1\n\n');
      response.end('data: 2\n\n');
    };
    const { headers, bytes } = await get({ 'accept-encoding': 'br', accept: 'text/event-stream' });
    expect([headers['content-encoding'], bytes.toString()]).toEqual([undefined, 'data: 1\n\ndata: 2\n\n']);
    const unnamed = await get({ 'accept-encoding': 'br' });
    expect(unnamed.headers['content-encoding']).toBeUndefined();
  });

  test('a HEAD response has no body and is not encoded', async () => {
    const { headers, bytes } = await get({ 'accept-encoding': 'br' }, '/', 'HEAD');
    expect([bytes.length, headers['content-encoding']]).toEqual([0, undefined]);
  });
});

describe('CORS', () => {
  const shop = 'https://shop.example.com';
  beforeEach(() => {
    layer = allowOrigins([shop]);
  });

  test('a page of another origin may call and read headers if its origin is listed', async () => {
    const { headers } = await get({ origin: shop });
    expect(headers).toMatchObject({ 'access-control-allow-origin': shop, vary: 'Origin' });
    for (const name of ['ETag', 'Deprecation', 'Sunset'])
      expect(headers['access-control-expose-headers']).toContain(name);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('a page of another origin may not call if its origin is not listed', async () => {
    for (const origin of ['https://evil.example', `${shop}.evil.example`, 'null']) {
      const { headers } = await get({ origin });
      expect([headers['access-control-allow-origin'], headers.vary]).toEqual([undefined, 'Origin']);
    }
  });

  test('a preflight request of another origin is answered', async () => {
    const asked = {
      origin: shop,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'if-match',
    };
    const { status, headers } = await get(asked, '/api/v1/me', 'OPTIONS');
    expect([status, headers['access-control-allow-origin']]).toEqual([204, shop]);
    expect(headers['access-control-allow-methods']).toContain('PATCH');
    expect(headers['access-control-allow-headers']).toMatch(/If-Match.*If-None-Match|Authorization/);
  });

  test('a page of another origin may state its name and version, which Apollo Client sends together', async () => {
    const asked = { origin: shop, 'access-control-request-method': 'POST' };
    const { headers } = await get(asked, '/graphql', 'OPTIONS');
    for (const name of ['apollographql-client-name', 'apollographql-client-version'])
      expect(headers['access-control-allow-headers']).toContain(name);
  });

  test('a page of any origin may call if * is listed, and responses have no Vary', async () => {
    layer = allowOrigins(['*']);
    const { headers } = await get({ origin: 'https://anybody.example' });
    expect([headers['access-control-allow-origin'], headers.vary]).toEqual(['*', undefined]);
  });
});

test.each([
  ['https://id.example', 'max-age=31536000; includeSubDomains'],
  ['http://localhost:4000', undefined],
])(
  'sends protective headers to browsers, and HSTS only if the issuer uses HTTPS: %s',
  async (issuer, transport) => {
    layer = protectBrowsers(issuer);
    const { headers } = await get({});
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    });
    expect(headers['strict-transport-security']).toBe(transport);
  },
);
