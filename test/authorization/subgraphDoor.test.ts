import { createSecretKey } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { compileDocuments } from '../../app/federation/compileDocuments.ts';
import buildIdentity from '../../subgraphs/identity/server.ts';
import {
  contextHeaderName,
  type SignedContext,
  signContext,
} from '../../subgraphs/platform/context/contextHeader.ts';
import { serveSubgraph } from '../../subgraphs/platform/subgraph/serveSubgraph.ts';
import { type SeededUser, seed } from '../support/seed.ts';
import { openEventStream } from '../support/stack/openEventStream.ts';
import { type HttpClient, type HttpRequest, openHttpClient } from '../support/stack/openHttpClient.ts';
import { openTestStack, type TestStack } from '../support/stack/openTestStack.ts';

let stack: TestStack;
let subgraph: Awaited<ReturnType<typeof serveSubgraph>>;
let client: HttpClient;
let user: SeededUser;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  const identity = buildIdentity();
  const prepare = compileDocuments(identity.schema, true);
  subgraph = await serveSubgraph(identity, { platform: stack.platform, prepare, port: 0 });
  client = openHttpClient(Number(new URL(subgraph.url).port));
  user = await (await seed(stack).in(stack.demo)).user();
}, 60_000);
afterAll(async () => {
  client.close();
  await subgraph.close();
  await stack.close();
});

const facts: SignedContext = {
  installationId: 'ins_demo',
  clientAddress: '192.0.2.1',
  userAgent: 'router',
  requestId: '00000000-0000-4000-8000-000000000000',
  depth: 0,
};
const signed = (
  members: Partial<SignedContext> = {},
  nowMs = stack.platform.now(),
  key = stack.platform.contextKey,
) => signContext(key, { ...facts, ...members }, nowMs);

/** Asks who one is, in a subgraph that runs apart. */
const ask = (context: string | null, more: Partial<HttpRequest> = {}) =>
  client.send({
    method: 'POST',
    path: '/',
    token: user.token,
    body: { query: '{ me { id } }' },
    ...more,
    headers: [...(context === null ? [] : [[contextHeaderName, context] as const]), ...(more.headers ?? [])],
  });

test.each(['text/event-stream', 'multipart/mixed;subscriptionSpec="1.0", text/event-stream'])(
  'a subscription whose router accepts %s gets server-sent events',
  async (accept) => {
    const stream = await openEventStream(subgraph.url, {
      token: user.token,
      headers: { accept, [contextHeaderName]: signed() },
      body: { query: 'subscription { events { event { id } } }' },
    });
    await stream.until('connected', ({ received, hasEnded }) => hasEnded || received.length > 0);
    stream.close();
    expect(stream.received[0]).toMatchObject({ event: 'next', data: { data: { events: { event: null } } } });
  },
);

test('a router with its credential is answered as the caller whose token it hands on', async () => {
  expect((await ask(signed())).json).toEqual({ data: { me: { id: user.id } } });
});

test('the credential grants no identity: a request without a token is unauthenticated', async () => {
  const { json } = await ask(signed(), { token: undefined });
  expect(json.errors[0].extensions.problem.code).toBe('token_missing');
});

test('a token counts in the installation that the router names, and in no other one', async () => {
  const { json } = await ask(signed({ installationId: 'ins_other' }));
  expect(json.errors[0].extensions.problem.code).toBe('installation_mismatch');
});

test('a request that bypasses the router is refused before its body is read', async () => {
  const [body = '', mac = ''] = signed().split('.');
  const altered = Buffer.from(JSON.stringify({ ...facts, installationId: 'ins_other', expiresAt: 9e15 }));
  const contexts = {
    none: null,
    empty: '',
    'no signature': body,
    'an empty signature': `${body}.`,
    'another signature': `${body}.${Buffer.alloc(32).toString('base64url')}`,
    'a short signature': `${body}.${mac.slice(0, 20)}`,
    'another body': `${altered.toString('base64url')}.${mac}`,
    'three parts': `${body}.${mac}.x`,
    'another key': signed({}, stack.platform.now(), createSecretKey(Buffer.alloc(32, 1))),
    'a minute old': signed({}, stack.platform.now() - 61_000),
    'of no installation': signed({ installationId: 'ins_none' }),
  };
  for (const [what, context] of Object.entries(contexts)) {
    const { status, text } = await ask(context, {
      body: '{',
      headers: [['content-type', 'application/json']],
    });
    expect([what, status]).toEqual([what, 401]);
    expect(text).not.toMatch(/usr_|node_modules|\.ts/);
  }
  const { json: health } = await client.send({ path: '/health' });
  expect(health).toEqual({ status: 'ok' });
});

test('introspection and batches are refused', async () => {
  const { json, status } = await ask(signed(), { body: { query: '{ __schema { queryType { name } } }' } });
  expect([status, json.data]).toEqual([400, undefined]);
  expect((await ask(signed(), { body: [{ query: '{ me { id } }' }] })).status).toBe(400);
});

test('what cannot be read is refused without a word of how it is read', async () => {
  const json = ['content-type', 'application/json'] as const;
  const bodies: [HttpRequest['body'], readonly (readonly [string, string])[]][] = [
    ['{', [json]],
    ['x'.repeat(11 * 1024 * 1024), [json]],
    [gzipSync(Buffer.alloc(30_000_000, 0x20)), [json, ['content-encoding', 'gzip']]],
    ['no gzip', [json, ['content-encoding', 'gzip']]],
    ['{}', [['content-type', 'application/json; charset=nope']]],
  ];
  for (const [body, headers] of bodies) {
    const { status, text } = await ask(signed(), { body, headers });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toMatch(/node_modules|\.ts|\bat /);
  }
});

test('a document is answered alike the first time and when it has been compiled', async () => {
  const onId = 'query ($on: Boolean!) { me { __typename id @include(if: $on) } }';
  const several = 'query A { me { id } } query B { me { __typename } }';
  const { id } = user;
  const documents: [body: object, status: number, data: unknown][] = [
    [{ query: onId, variables: { on: true } }, 200, { me: { __typename: 'Me', id } }],
    [{ query: onId, variables: { on: false } }, 200, { me: { __typename: 'Me' } }],
    [{ query: onId, variables: { on: 'yes' } }, 400, undefined],
    [{ query: onId }, 400, undefined],
    [{ query: several, operationName: 'A' }, 200, { me: { id } }],
    [{ query: several, operationName: 'B' }, 200, { me: { __typename: 'Me' } }],
    [{ query: several, operationName: 'C' }, 400, undefined],
    [{ query: several }, 400, undefined],
  ];
  for (const [body, status, data] of documents) {
    for (let time = 0; time < 8; time++) {
      const answer = await ask(signed(), { body });
      expect([body, answer.status, answer.json.data]).toEqual([body, status, data]);
      expect(answer.json.errors === undefined).toBe(status === 200);
    }
  }
});

test('a document is answered alike whatever way its body takes', async () => {
  const query = '{ me { id } }';
  const plain = await ask(signed(), { body: { query } });
  const others: [HttpRequest['body'], readonly (readonly [string, string])[]][] = [
    [JSON.stringify({ query }), [['content-type', 'application/json; charset=utf-8']]],
    [
      gzipSync(JSON.stringify({ query })),
      [
        ['content-type', 'application/json'],
        ['content-encoding', 'gzip'],
      ],
    ],
  ];
  for (const [body, headers] of others) {
    const { status, text } = await ask(signed(), { body, headers });
    expect([status, text]).toEqual([200, plain.text]);
  }
});
