import mongoose from 'mongoose';
import pino from 'pino';
import { perFile, product } from '../../test/support/product.ts';
import type { SeededUser } from '../../test/support/seed.ts';
import { type CollectedSpan, openCollector } from '../../test/support/servers/openCollector.ts';
import { createTelemetry } from './createTelemetry.ts';
import { type Metrics, openMetrics } from './openMetrics.ts';
import { openTracing, type Tracing } from './openTracing.ts';
import { serveMetrics } from './serveMetrics.ts';
import { watchCommands } from './watchCommands.ts';

const password = 'plum-tractor-9-violin';

let tracing: Tracing;
let metrics: Metrics;
let user: SeededUser;
let stopWatching: () => void;
const lines: string[] = [];

const collector = perFile(() => openCollector());
beforeAll(async () => {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  process.env.OTEL_BSP_SCHEDULE_DELAY = '50';
  tracing = openTracing('trigate-test');
  metrics = openMetrics(() => stack.platform.streams.count);
});
const { stack, market, send } = product(() => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  // Each subgraph answers over HTTP, so that the trace has to travel.
  return { apart: true, log, telemetry: createTelemetry({ metrics, tracing, log }) };
});
beforeAll(async () => {
  stopWatching = watchCommands(mongoose.connection.getClient(), { metrics, tracing });
  user = await market.user({ password });
});
afterAll(async () => {
  stopWatching();
  await tracing.close();
  await collector.close();
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  delete process.env.OTEL_BSP_SCHEDULE_DELAY;
});

const attributesOf = ({ attributes }: CollectedSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const childOf =
  (parent: CollectedSpan, name: RegExp) =>
  (span: CollectedSpan): boolean =>
    span.parentSpanId === parent.spanId && name.test(span.name);

test('executions that the usage ledger counts as (other) are a metric', async () => {
  const operation = { hash: 'a', name: null, coordinates: [] };
  const usage = {
    installationId: market.installation.id,
    isNamed: true,
    route: 'GET /a',
    operation,
    isKnown: true,
  };
  for (let name = 0; name < 102; name += 1)
    stack.platform.usage?.count({ ...usage, client: `client ${name}` });
  await stack.platform.usage?.flush();
  expect(await metrics.toText()).toMatch(/^trigate_usage_overflow_total 2$/m);
});

test('one trace links the client, the route, the operation, the fetch and the database command', async () => {
  const [traceId, clientSpan] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  const { status, headers } = await send({
    path: '/api/v1/me',
    token: user.token,
    headers: [['traceparent', `00-${traceId}-${clientSpan}-01`]],
  });
  expect(status).toBe(200);
  const route = await collector.waitFor((span) => span.parentSpanId === clientSpan);
  expect(route).toMatchObject({ name: 'GET /api/v1/me', traceId, kind: 2 });
  expect(attributesOf(route)).toMatchObject({
    'http.route': '/api/v1/me',
    'http.response.status_code': 200,
    'trigate.request_id': headers['x-request-id'],
  });
  const operation = await collector.waitFor(childOf(route, /^query me$/));
  const fetched = await collector.waitFor(childOf(operation, /^fetch identity$/));
  const served = await collector.waitFor(childOf(fetched, /^POST \/$/));
  const command = await collector.waitFor(childOf(served, /^(find|aggregate) /));
  expect(attributesOf(command)).toMatchObject({ 'db.system.name': 'mongodb' });
  expect(command.traceId).toBe(traceId);
  expect([...collector.services]).toEqual(['trigate-test']);
});

test('a request without a trace starts one, and its baggage is not passed on', async () => {
  await send({ path: '/api/v1/catalog/listings', headers: [['baggage', 'note=from-the-client']] });
  const route = await collector.waitFor(({ name }) => name === 'GET /api/v1/catalog/listings');
  expect(route.parentSpanId).toBeUndefined();
});

test('metrics of requests, operations, fetches, plans and commands have only names that the product defines', async () => {
  await send({ path: '/api/v1/me', token: user.token });
  const query = { query: 'query mineAlone { me { id } }' };
  for (let times = 0; times < 2; times += 1)
    await send({ method: 'POST', path: '/graphql', token: user.token, body: query });
  await send({ path: '/api/v1/listings/lst_0000', token: user.token });
  const text = await metrics.toText();
  for (const line of [
    /^trigate_http_request_duration_seconds_count\{route="\/api\/v1\/me",method="GET",status="200"\} \d/m,
    /^trigate_http_request_duration_seconds_count\{route="\/api\/v1\/listings\/\{listingId\}",method="GET",status="40\d"\}/m,
    /^trigate_http_request_duration_seconds_count\{route="\/graphql",method="POST",status="200"\} 2/m,
    /^trigate_operation_duration_seconds_count\{operation="me",type="query",outcome="ok"\}/m,
    /^trigate_operation_duration_seconds_count\{operation="ad_hoc",type="query",outcome="ok"\} 2/m,
    /^trigate_fetch_duration_seconds_count\{subgraph="identity",type="query",outcome="ok"\}/m,
    /^trigate_plan_cache_lookups_total\{result="hit"\} 1/m,
    /^trigate_plan_cache_lookups_total\{result="miss"\} 1/m,
    /^trigate_database_connection_wait_seconds_count [1-9]/m,
    /^trigate_database_command_duration_seconds_count\{command="\w+",collection="users",outcome="ok"\}/m,
    /^trigate_event_streams 0/m,
    /^process_cpu_seconds_total /m,
  ])
    expect(text).toMatch(line);
  expect(text).not.toContain('mineAlone');
});

test('names and paths chosen by clients create no new metric series', async () => {
  const seriesOf = async () =>
    (await metrics.toText()).split('\n').filter((line) => line.startsWith('trigate_')).length;
  const sendWord = async (word: string) => {
    await send({ path: `/${word}/x` });
    await send({ path: `/api/v1/catalog/listings/lst_${word}` });
    await send({ path: '/api/v1/me', method: `X${word.toUpperCase()}` }).catch(() => undefined);
    await send({
      method: 'POST',
      path: '/graphql',
      body: { query: `query ${word} { a${word}: languages { code } }` },
    });
  };
  await sendWord('first');
  const before = await seriesOf();
  for (const word of ['second', 'third', 'fourth', 'fifth']) await sendWord(word);
  expect(await seriesOf()).toBe(before);
});

test('logs, metrics and traces contain no token, password or personal address', async () => {
  const { email, token } = user;
  const wrong = 'wrong-password-7351';
  const signIn = (secret: string) =>
    send({
      method: 'POST',
      path: '/api/v1/auth/token',
      body: { grant_type: 'password', username: email, password: secret },
    });
  const signedIn = await signIn(password);
  expect(signedIn.status).toBe(200);
  await signIn(wrong);
  await send({ path: `/api/v1/me?email=${encodeURIComponent(email)}&access_token=${token}`, token });
  await send({ path: `/api/v1/files/${signedIn.json.refresh_token}` });
  await send({ path: '/api/v1/me', token: `${token}x` });
  await send({
    method: 'POST',
    path: '/graphql',
    token,
    body: { query: `{ user(userId: "${email}") { id } }`, variables: { secret: wrong } },
  });
  await collector.waitFor(({ name }) => name === 'GET /api/v1/files/{fileToken}');
  const kept = [...lines, ...collector.texts, await metrics.toText()].join('\n');
  expect(kept).toContain('/api/v1/auth/token');
  for (const secret of [
    email,
    encodeURIComponent(email),
    token,
    signedIn.json.access_token,
    signedIn.json.refresh_token,
    password,
    wrong,
  ])
    expect(kept.includes(secret)).toBe(false);
});

test('a log line identifies a request by its id and an operation by the hash of its plan', async () => {
  const { headers } = await send({ path: '/api/v1/me', token: user.token });
  const mine = lines
    .map((line) => JSON.parse(line))
    .filter(({ requestId }) => requestId === headers['x-request-id']);
  expect(mine).toContainEqual(
    expect.objectContaining({
      msg: 'answered',
      route: '/api/v1/me',
      method: 'GET',
      status: 200,
      ms: expect.any(Number),
    }),
  );
  expect(mine).toContainEqual(
    expect.objectContaining({
      msg: 'executed',
      operation: 'me',
      planHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    }),
  );
});

test('metrics are served at their own address, which serves nothing else', async () => {
  const served = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' });
  try {
    const answer = await fetch(served.url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain/),
    ]);
    expect(await answer.text()).toContain('trigate_http_requests_in_flight');
    expect((await fetch(new URL('/', served.url))).status).toBe(404);
    expect((await fetch(served.url, { method: 'POST' })).status).toBe(404);
    expect((await send({ path: '/metrics' })).status).toBe(404);
  } finally {
    await served.close();
  }
});
