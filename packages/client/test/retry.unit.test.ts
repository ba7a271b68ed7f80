import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, dataOf, ProblemError, type RetryOptions } from '../src/client.ts';
import * as documents from '../src/graphql/documents.generated.ts';

/** One answer of the scripted service; the last one is repeated. Status 0 ends the connection. */
interface Script {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

let server: Server;
let script: Script[] = [];
const asked: { method: string; key: string | undefined; body: any; at: number }[] = [];
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      asked.push({
        method: request.method ?? '',
        key: request.headers['idempotency-key'] as string | undefined,
        body: text === '' ? null : JSON.parse(text),
        at: Date.now(),
      });
      const answer = (script.length > 1 ? script.shift() : script[0]) ?? { status: 200 };
      if (answer.status === 0) return void request.socket.destroy();
      const { status, headers, body = {} } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((closed) => server.close(closed));
});
beforeEach(() => {
  asked.length = 0;
});

const client = (retry: Partial<RetryOptions> = {}) =>
  createClient({ baseUrl: url(), retry: { baseMs: 5, ...retry } });
const refusal = (status: number, code: string) => ({ status, body: { status, code, detail: code } });
const listing = () =>
  client().rest.GET('/api/v1/listings/{listingId}', { params: { path: { listingId: 'lst_1' } } });
const created = { categoryId: 'cat_1' } as never;

test.each([
  ['429', refusal(429, 'rate_limited')],
  ['502', refusal(502, 'upstream_error')],
  ['503', refusal(503, 'unavailable')],
  ['504', refusal(504, 'upstream_timeout')],
  ['a lost connection', { status: 0 }],
])('the client repeats a read after %s', async (_, first) => {
  script = [first, first, { status: 200, body: { id: 'lst_1' } }];
  expect(await dataOf(listing())).toEqual({ id: 'lst_1' });
  expect(asked).toHaveLength(3);
});

test.each([
  [400, 'malformed_request'],
  [404, 'not_found'],
  [409, 'concurrent_update'],
  [500, 'internal_error'],
])('the client does not repeat a read after status %i', async (status, code) => {
  script = [refusal(status, code)];
  await expect(dataOf(listing())).rejects.toMatchObject({ status, code });
  expect(asked).toHaveLength(1);
});

test('the client repeats a write under one idempotency key, which it generates', async () => {
  script = [refusal(503, 'unavailable'), { status: 0 }, { status: 201, body: { id: 'lst_1' } }];
  const { response } = await client().rest.POST('/api/v1/listings', { body: created });
  expect(response.status).toBe(201);
  expect(asked).toHaveLength(3);
  expect(asked[0]?.key).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
});

test('two writes get two idempotency keys, and a key that the caller sets is kept', async () => {
  script = [{ status: 201 }];
  await client().rest.POST('/api/v1/listings', { body: created });
  await client().rest.POST('/api/v1/listings', { body: created });
  const params = { header: { 'Idempotency-Key': 'my-own' } };
  await client().rest.POST('/api/v1/listings', { body: created, params });
  const [first, second, third] = asked.map(({ key }) => key);
  expect(first).not.toBe(second);
  expect(third).toBe('my-own');
});

test('the client repeats a write whose first attempt is still in progress', async () => {
  script = [refusal(409, 'idempotency_in_progress'), { status: 201 }];
  const { response } = await client().rest.POST('/api/v1/listings', { body: created });
  expect([response.status, asked.length]).toEqual([201, 2]);
});

test('the client never repeats a write that takes no idempotency key', async () => {
  script = [refusal(503, 'unavailable'), { status: 200 }];
  const { response, error } = await client().rest.PATCH('/api/v1/me', { body: { displayName: 'Ada' } });
  expect([response.status, error?.code, asked.map(({ key }) => key)]).toEqual([
    503,
    'unavailable',
    [undefined],
  ]);
  script = [{ status: 0 }, { status: 200 }];
  await expect(client().rest.PATCH('/api/v1/me', { body: { displayName: 'Ada' } })).rejects.toThrow();
  expect(asked).toHaveLength(2);
});

test.each([
  ['seconds', () => '1'],
  ['a date', () => new Date(Date.now() + 3000).toUTCString()],
])('the client waits for a Retry-After in %s before it repeats a read', async (_, retryAfter) => {
  script = [{ ...refusal(429, 'rate_limited'), headers: { 'retry-after': retryAfter() } }, { status: 200 }];
  await listing();
  const [first, second] = asked.map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(900);
});

test('the client returns an error at once if its Retry-After exceeds the longest wait', async () => {
  script = [{ ...refusal(429, 'rate_limited'), headers: { 'retry-after': '3600' } }];
  await expect(dataOf(listing())).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
  expect(asked).toHaveLength(1);
});

test('a call ends after its last attempt, or when its caller aborts it', async () => {
  script = [refusal(503, 'unavailable')];
  await expect(dataOf(listing())).rejects.toBeInstanceOf(ProblemError);
  expect(asked).toHaveLength(4);
  asked.length = 0;
  const caller = new AbortController();
  script = [{ ...refusal(503, 'unavailable'), headers: { 'retry-after': '10' } }];
  const call = client().rest.GET('/api/v1/me', { signal: caller.signal });
  while (asked.length === 0) await new Promise((done) => setTimeout(done, 20));
  caller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(asked).toHaveLength(1);
});

describe('GraphQL calls', () => {
  const problem = { status: 429, code: 'rate_limited', retryAfter: 0 };
  const errors = [{ message: 'later', extensions: { problem } }];
  const throttled = { status: 200, body: { data: null, errors } };

  test('the client repeats a query after an error status or a GraphQL error that is temporary', async () => {
    const answer = { status: 200, body: { data: { me: { id: 'usr_1' } } } };
    script = [refusal(503, 'unavailable'), throttled, answer];
    expect(await client().graphql(documents.me)).toEqual({ me: { id: 'usr_1' } });
    expect(asked).toHaveLength(3);
  });

  test('the client repeats a mutation that takes an idempotency key under one key', async () => {
    script = [refusal(503, 'unavailable'), throttled, { status: 200, body: { data: {} } }];
    await client().graphql(documents.createListing, { input: created });
    const keys = asked.map(({ body }) => body.variables.input.idempotencyKey);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  });

  test('the client does not repeat a mutation without an idempotency key', async () => {
    script = [throttled];
    const call = client().graphql(documents.updateMe, { input: { displayName: 'Ada' } });
    await expect(call).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
    expect(asked).toHaveLength(1);
  });

  test('the client returns a partial result, or throws it with its data', async () => {
    const extensions = { problem: { status: 404, code: 'not_found' } };
    const body = { data: { a: 1, b: null }, errors: [{ message: 'gone', path: ['b'], extensions }] };
    script = [{ status: 200, body }];
    expect(await client().graphql.answer('{ a b }')).toEqual(body);
    const { data } = body;
    await expect(client().graphql('{ a b }')).rejects.toMatchObject({ code: 'not_found', problem: { data } });
  });

  test('the client accepts documents of code generators, as text and as a tree', async () => {
    script = [{ status: 200, body: { data: {} } }];
    await client().graphql(Object('query a { me { id } }'));
    await client().graphql({ loc: { source: { body: 'query b { me { id } }' } } });
    expect(asked.map(({ body }) => body.query)).toEqual(['query a { me { id } }', 'query b { me { id } }']);
    await expect(client().graphql({})).rejects.toThrow('neither a text nor a source');
  });
});

test('a response of an intermediary becomes a problem with an unknown code', async () => {
  script = [{ status: 403, body: 'Blocked by a firewall' }];
  await expect(dataOf(listing())).rejects.toMatchObject({ status: 403, code: 'unknown' });
});

test('the client uses the REST root of the deployment for interfaces B and C', async () => {
  const urls: string[] = [];
  const moved = createClient({
    baseUrl: 'https://shop.example',
    restRoot: '/rest',
    fetch: async (request) => {
      urls.push(request.url);
      return Response.json({ data: [] });
    },
  });
  await moved.rest.GET('/api/rest/translation/v1/languages');
  await moved.rest.GET('/api/v1/me');
  expect(urls).toEqual([
    'https://shop.example/rest/translation/v1/languages',
    'https://shop.example/api/v1/me',
  ]);
});
