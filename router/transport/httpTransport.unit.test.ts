import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { OperationTypeNode, parse } from 'graphql';
import { CircuitBreaker } from '../../subgraphs/platform/concurrency/CircuitBreaker.ts';
import { listenLocally } from '../../test/support/servers/listenLocally.ts';
import { createHttpTransport, type HttpTransportOptions, type UpstreamCode } from './httpTransport.ts';
import type { SubgraphContext, SubgraphRequest, Transport } from './Transport.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly body: { query: string; variables: Record<string, unknown> };
}

const text = 'query ($id: ID) { user(id: $id) { name } }';
const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serve(answer: Answer): Promise<{ url: string; seen: Seen[]; server: Server }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    seen.push({ headers: request.headers, body: JSON.parse(body) as Seen['body'] });
    answer(request, response, body);
  });
  const local = await listenLocally(server);
  open.push(local.close);
  return { url: `${local.url}/graphql?x=1`, seen, server };
}

function connect(url: string, options: Partial<HttpTransportOptions> = {}) {
  const failures: { code: UpstreamCode; cause: unknown }[] = [];
  const transport: Transport = createHttpTransport({
    name: 'users',
    url,
    headers: () => ({}),
    timeoutMs: 300,
    onFailure: ({ code, cause }) => failures.push({ code, cause }),
    ...options,
  });
  open.push(() => transport.close?.());
  const query = transport.compile(parse(text), text, OperationTypeNode.QUERY);
  const mutation = transport.compile(parse('mutation { a }'), 'mutation { a }', OperationTypeNode.MUTATION);
  return { transport, query, mutation, failures };
}

async function failureOf(request: SubgraphRequest, context: SubgraphContext = {}) {
  const result = await request({}, context);
  expect(result.data).toBeUndefined();
  expect(result.errors).toHaveLength(1);
  const error = result.errors?.[0];
  expect(error?.extensions?.serviceName).toBe('users');
  expect(error?.message).toMatch(/^The subgraph "users" [a-z ]+\.$/);
  return error?.extensions?.code;
}

const ok: Answer = (_request, response) => {
  response.setHeader('content-type', 'application/json').end('{"data":{"user":{"name":"Ada"}}}');
};

describe('the HTTP transport', () => {
  test('sends the operation with its variables and returns the answer', async () => {
    const { url, seen } = await serve(ok);
    const { query } = connect(url);
    expect(await query({ id: '1' }, {})).toEqual({ data: { user: { name: 'Ada' } } });
    expect(seen[0]?.body).toEqual({ query: text, variables: { id: '1' } });
  });

  test('sends only the configured headers and the trace of the request', async () => {
    const { url, seen } = await serve(ok);
    const { query } = connect(url, {
      headers: (context) => ({ authorization: (context as { token: string }).token }),
    });
    await query({}, { token: 'Bearer t', traceparent: '00-abc-def-01', cookie: 'secret' } as SubgraphContext);
    const { host, connection, ...sent } = seen[0]?.headers ?? {};
    expect(host).toMatch(/^127\.0\.0\.1:/);
    expect(connection).toBe('keep-alive');
    expect(sent).toEqual({
      authorization: 'Bearer t',
      traceparent: '00-abc-def-01',
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      'content-length': String(JSON.stringify({ query: text, variables: {} }).length),
    });
  });

  test('reuses its connections', async () => {
    const { url, server } = await serve(ok);
    let connections = 0;
    server.on('connection', () => connections++);
    const { query } = connect(url);
    for (let i = 0; i < 20; i++) await query({}, {});
    expect(connections).toBeLessThan(3);
  });

  test('keeps path and extensions of subgraph errors, unless these have the wrong type', async () => {
    const extensions = { code: 'FORBIDDEN', problem: { status: 403 } };
    const valid = { message: 'No', path: ['user', 'name'], extensions };
    const invalid = [{ message: 1, path: 'user', extensions: [] }, null, 'text'];
    const answer = { data: { user: null }, errors: [{ ...valid, locations: [] }, ...invalid] };
    const { url } = await serve((_request, response) => response.end(JSON.stringify(answer)));
    const { data, errors = [] } = await connect(url).query({}, {});
    expect([data, errors[0]]).toEqual([{ user: null }, valid]);
    for (const { message, ...members } of errors.slice(1)) {
      expect(message).toMatch(/^The subgraph reported an error/);
      expect(members).toEqual({});
    }
    expect(errors).toHaveLength(4);
  });

  test('returns a GraphQL answer with status 401 without counting it as a failure', async () => {
    const { url } = await serve((_request, response) =>
      response
        .writeHead(401)
        .end('{"errors":[{"message":"Sign in","extensions":{"code":"UNAUTHENTICATED"}}]}'),
    );
    const { query, failures } = connect(url);
    expect((await query({}, {})).errors?.[0]?.extensions).toEqual({ code: 'UNAUTHENTICATED' });
    expect(failures).toEqual([]);
  });

  const destroy: Answer = (request) => request.socket.destroy();
  const send =
    (body: string, status = 200): Answer =>
    (_, response) =>
      response.writeHead(status).end(body);
  const cut: Answer = (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"data"');
    setImmediate(() => request.socket.destroy());
  };
  test.each<[string, Answer, UpstreamCode]>([
    ['text that is not JSON', send('<html>'), 'UPSTREAM_ERROR'],
    ['JSON that is not a GraphQL answer', send('[1]'), 'UPSTREAM_ERROR'],
    ['an answer without data and errors', send('{"data":null}'), 'UPSTREAM_ERROR'],
    ['data of the wrong type', send('{"data":[{"user":null}]}'), 'UPSTREAM_ERROR'],
    ['status 500 with data', send('{"data":{"user":null}}', 500), 'UPSTREAM_ERROR'],
    ['status 503', send('busy', 503), 'UPSTREAM_UNAVAILABLE'],
    ['no answer', () => undefined, 'UPSTREAM_TIMEOUT'],
    ['a body that never ends', (_, response) => response.write('{"data":{"user":'), 'UPSTREAM_TIMEOUT'],
    ['a connection closed in the body', cut, 'UPSTREAM_UNAVAILABLE'],
    ['a connection closed before the answer', destroy, 'UPSTREAM_UNAVAILABLE'],
  ])('returns an error that names only the subgraph for %s', async (_title, answer, code) => {
    const { url } = await serve(answer);
    const { query, failures } = connect(url);
    expect(await failureOf(query)).toBe(code);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.cause).toHaveProperty('message');
  });

  test('returns UPSTREAM_UNAVAILABLE for a subgraph without a listener', async () => {
    const { url, server } = await serve(ok);
    await new Promise((closed) => server.close(closed));
    expect(await failureOf(connect(url).query)).toBe('UPSTREAM_UNAVAILABLE');
  });

  test('uses the deadline of a root field instead of its own', async () => {
    const { url } = await serve((...args) => void setTimeout(() => ok(...args), 500));
    const { transport } = connect(url);
    const patient = transport.compile(parse(text), text, OperationTypeNode.QUERY, { timeoutMs: 5000 });
    expect((await patient({}, {})).data).toEqual({ user: { name: 'Ada' } });
  });

  test('aborts an answer of 50 MB', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const { url } = await serve((_request, response) => {
      response.write('{"data":{"user":{"name":"');
      const more = () => {
        while (sent < 50 * 1024 * 1024 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end('"}}}');
      };
      more();
    });
    const { query } = connect(url, { timeoutMs: 10_000 });
    expect(await failureOf(query)).toBe('UPSTREAM_ERROR');
    expect(sent).toBeLessThan(30 * 1024 * 1024);
  });

  test('repeats a query but not a mutation whose connection broke', async () => {
    let broken = 0;
    const { url, seen } = await serve((request, response, body) => {
      if (broken++ === 0) request.socket.destroy();
      else ok(request, response, body);
    });
    const { query, mutation } = connect(url);
    expect((await query({}, {})).data).toEqual({ user: { name: 'Ada' } });
    expect(seen).toHaveLength(2);
    broken = 0;
    expect(await failureOf(mutation)).toBe('UPSTREAM_UNAVAILABLE');
    expect(seen).toHaveLength(3);
  });

  test('does not repeat a query that is answered with status 500', async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(500).end('{}'));
    await failureOf(connect(url).query);
    expect(seen).toHaveLength(1);
  });

  test('aborts the request of a client that disconnects, without counting a failure of the subgraph', async () => {
    const { url, seen } = await serve(() => undefined);
    const { query } = connect(url, {
      timeoutMs: 10_000,
      breaker: new CircuitBreaker({ failures: 1, openMs: 60_000 }),
    });
    const client = new AbortController();
    const waiting = failureOf(query, { signal: client.signal });
    while (seen.length === 0) await new Promise(setImmediate);
    client.abort();
    expect(await waiting).toBe('UPSTREAM_TIMEOUT');
    expect(await failureOf(query, { signal: client.signal })).toBe('UPSTREAM_TIMEOUT');
    expect(seen).toHaveLength(1);
  });

  test('sends nothing for five seconds after five failures, and then a single request', async () => {
    let clock = 0;
    let works = false;
    const { url, seen } = await serve((...args) => (works ? ok(...args) : args[1].writeHead(500).end('{}')));
    const { query } = connect(url, {
      breaker: new CircuitBreaker({ failures: 5, openMs: 5000 }, () => clock),
    });
    for (let i = 0; i < 5; i++) expect(await failureOf(query)).toBe('UPSTREAM_ERROR');
    expect(seen).toHaveLength(5);
    expect(await failureOf(query)).toBe('UPSTREAM_UNAVAILABLE');
    expect(seen).toHaveLength(5);

    clock = 5001;
    expect(await failureOf(query)).toBe('UPSTREAM_ERROR');
    expect(await failureOf(query)).toBe('UPSTREAM_UNAVAILABLE');
    expect(seen).toHaveLength(6);

    clock = 10_002;
    works = true;
    const answers = await Promise.all([query({}, {}), query({}, {})]);
    expect(answers.filter((answer) => answer.data != null)).toHaveLength(1);
    expect((await query({}, {})).data).toEqual({ user: { name: 'Ada' } });
    expect(seen).toHaveLength(8);
  });

  test('refuses requests beyond the limit of pending requests at once', async () => {
    const held: ServerResponse[] = [];
    const { url } = await serve((_request, response) => held.push(response));
    const { query } = connect(url, { maxPending: 2, timeoutMs: 5000 });
    const first = [query({}, {}), query({}, {})];
    expect(await failureOf(query)).toBe('UPSTREAM_UNAVAILABLE');
    while (held.length < 2) await new Promise(setImmediate);
    for (const response of held) response.end('{"data":{"user":null}}');
    for (const answer of first) expect((await answer).data).toEqual({ user: null });
  });

  test('leaves no timer or listener after a hundred requests', async () => {
    const { url } = await serve(ok);
    const { query } = connect(url, { timeoutMs: 60_000 });
    const { signal } = new AbortController();
    const add = jest.spyOn(signal, 'addEventListener');
    const remove = jest.spyOn(signal, 'removeEventListener');
    await Promise.all(Array.from({ length: 100 }, async () => query({}, { signal })));
    expect(remove.mock.calls).toHaveLength(add.mock.calls.length);
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    expect(timers).toBeLessThan(20);
  });
});
