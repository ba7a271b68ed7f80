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

/** Requests the caller's own id from the subgraph, without a router. */
const ask = (context: string | null, more: Partial<HttpRequest> = {}) =>
  client.send({
    method: 'POST',
    path: '/',
    token: user.token,
    body: { query: '{ me { id } }' },
    ...more,
    headers: [...(context === null ? [] : [[contextHeaderName, context] as const]), ...(more.headers ?? [])],
  });

test('a subgraph answers a request with a signed context as the caller of the forwarded token', async () => {
  expect((await ask(signed())).json).toEqual({ data: { me: { id: user.id } } });
});

test('a subgraph keeps an idle connection for 65 s, so that no load balancer sends a request over a closing one', async () => {
  expect((await ask(signed())).headers['keep-alive']).toBe('timeout=65');
});

test('a request with a signed context and without a token is unauthenticated', async () => {
  const { json } = await ask(signed(), { token: undefined });
  expect(json.errors[0].extensions.problem.code).toBe('token_missing');
});

test('refuses a token of an installation other than the one in the signed context', async () => {
  const { json } = await ask(signed({ installationId: 'ins_other' }));
  expect(json.errors[0].extensions.problem.code).toBe('installation_mismatch');
});

test('a request without a valid signed context is refused with 401 before its body is read', async () => {
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

test('a subgraph refuses introspection and batches', async () => {
  const { json, status } = await ask(signed(), { body: { query: '{ __schema { queryType { name } } }' } });
  expect([status, json.data]).toEqual([400, undefined]);
  expect((await ask(signed(), { body: [{ query: '{ me { id } }' }] })).status).toBe(400);
});

test('an unreadable body is refused without internal details', async () => {
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

test('a document has the same answer before and after it is compiled', async () => {
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

test('a document has the same answer with a charset parameter and with gzip encoding', async () => {
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

describe('a subgraph behind another engine', () => {
  const update = 'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }';
  const refused = {
    query: update,
    variables: { input: { listingId: 'lst_01J0000000000000000000000', title: 'x' } },
  };

  test('answers a refused operation with 200 and one complete error without the challenge', async () => {
    const { status, json } = await ask(signed({ forEngine: true }), { body: refused, token: undefined });
    expect(status).toBe(200);
    expect(json.errors).toHaveLength(1);
    const { problem } = json.errors[0].extensions;
    expect(problem).toMatchObject({
      code: 'token_missing',
      status: 401,
      type: expect.stringMatching(/^https?:\/\/.+\/problems\/token_missing$/),
      instance: `urn:uuid:${facts.requestId}`,
      requestId: facts.requestId,
    });
    expect(problem).not.toHaveProperty('challenge');
  });

  test('answers invalid variables with 200, because engines add an error to a response with another status', async () => {
    const invalid = { query: update, variables: { input: { listingId: {} } } };
    const own = await ask(signed(), { body: invalid });
    const theirs = await ask(signed({ forEngine: true }), { body: invalid });
    expect([own.status, theirs.status]).toEqual([400, 200]);
    expect(theirs.json).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });

  test('omits the challenge of a refused token, which a request of the router contains', async () => {
    const codeAndChallenge = async (context: Partial<SignedContext>) => {
      const { json } = await ask(signed(context), { token: `${user.token}x` });
      const { code, challenge } = json.errors[0].extensions.problem;
      return [code, challenge];
    };
    expect(await codeAndChallenge({})).toEqual(['token_malformed', expect.stringContaining('invalid_token')]);
    expect(await codeAndChallenge({ forEngine: true })).toEqual(['token_malformed', undefined]);
  });

  const events = 'subscription { events { __typename } }';
  const accepted = [
    'text/event-stream',
    'application/json, text/event-stream',
    'multipart/mixed, text/event-stream;q=0.9',
  ];

  test.each(accepted)('opens the stream of a subscription by POST and GET for Accept: %s', async (accept) => {
    const headers = { accept, [contextHeaderName]: signed({ forEngine: true }) };
    for (const [url, body] of [
      [subgraph.url, { query: events }],
      [`${subgraph.url}?${new URLSearchParams({ query: events, variables: '{}' })}`, undefined],
    ] as const) {
      const stream = await openEventStream(url, { token: user.token, headers, ...(body && { body }) });
      expect([stream.status, stream.headers['content-type']]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
      ]);
      stream.close();
    }
  });

  test('refuses a subscription within the stream, and a subscription of the router in JSON', async () => {
    const refuse = async (context: Partial<SignedContext>) => {
      const headers = { accept: 'text/event-stream', [contextHeaderName]: signed(context) };
      const stream = await openEventStream(subgraph.url, { headers, body: { query: events } });
      await stream.until('its end', ({ hasEnded }) => hasEnded);
      return stream;
    };
    const { status, received } = await refuse({ forEngine: true });
    expect([status, received.map(({ event }) => event)]).toEqual([200, ['next', 'complete']]);
    expect(received[0]?.data.errors[0].extensions.problem).toMatchObject({ code: 'token_missing' });
    expect((await refuse({})).headers['content-type']).toMatch(/^application\/json/);
  });

  test('answers a query of a client that also accepts streams with JSON', async () => {
    const headers = [['accept', 'application/json, text/event-stream']] as const;
    expect((await ask(signed({ forEngine: true }), { headers })).json).toEqual({
      data: { me: { id: user.id } },
    });
  });

  test('refuses a GET whose variables are not JSON, and a query by GET', async () => {
    const get = (query: string, accept: string) =>
      ask(signed({ forEngine: true }), {
        method: 'GET',
        path: `/?${query}`,
        body: undefined,
        headers: [['accept', accept]],
      });
    expect((await get('query=subscription{events{id}}&variables={', 'text/event-stream')).status).toBe(400);
    expect((await get('query={me{id}}', 'application/json')).status).toBe(400);
  });
});
