import { request } from 'node:http';
import { product } from '../../test/support/product.ts';
import type { SeededUser } from '../../test/support/seed.ts';
import { openSocketClient, type SocketClient } from '../../test/support/stack/openSocketClient.ts';

const subscription = `subscription ($after: String) {
  events(after: $after) { cursor event { type listing { id title seo { id } } } }
}`;
const clients: SocketClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
const codeOf = (errors: unknown): string => (errors as any)[0].extensions.problem.code;

describe.each([
  ['with subgraphs in this process', false],
  ['with subgraphs over HTTP', true],
])('GraphQL over WebSocket %s', (_, apart) => {
  const { stack, market, send } = product({ apart });
  let seller: SeededUser;
  beforeEach(async () => {
    seller = await market.user();
  });
  const host = () => market.installation.hosts[0] ?? '';
  const open = async (token?: string, options: Partial<Parameters<typeof openSocketClient>[1]> = {}) => {
    const client = openSocketClient(await stack.port(), { host: host(), token, ...options });
    clients.push(client);
    return client;
  };
  const relay = () => stack.runJob('identity.relay');
  const over = async (body: object, token?: string) =>
    (await send({ method: 'POST', path: '/graphql', token, body })).json;

  test('delivers each event of a subscription with fields of other subgraphs', async () => {
    const client = await open(seller.token);
    const events = client.start({ query: subscription });
    await events.until('connected', ({ results }) => results.length === 1);
    const { id } = await seller.listing({ published: true, title: 'Violin' });
    await relay();
    await events.until('both events', ({ results }) => results.length === 3);
    expect(events.results.map(({ data }) => data?.events.event)).toEqual([
      null,
      { type: 'listing.created', listing: { id, title: 'Violin', seo: null } },
      { type: 'listing.published', listing: { id, title: 'Violin', seo: null } },
    ]);
    events.close();
    await events.until('it has ended', ({ end }) => end !== undefined);
    expect(events.end).toEqual({});
  });

  test('returns the results and errors of GraphQL over HTTP', async () => {
    const client = await open(seller.token);
    const queries = [
      '{ me { id } catalogListings(first: 1) { nodes { id } } }',
      'mutation { updateMe(input: { firstName: "Eve" }) { me { firstName } } }',
      '{ me { id } user(userId: "usr_none") { id } }',
      'query ($first: Int) { catalogListings(first: $first) { nodes { id } } }',
    ];
    const withoutIds = (result: unknown) =>
      JSON.parse(JSON.stringify(result).replaceAll(/[0-9a-f-]{36}/g, 'id'));
    for (const query of queries) {
      const variables = { first: 1000 };
      const answer = await over({ query, variables }, seller.token);
      expect(withoutIds(await client.ask(query, variables))).toEqual(withoutIds(answer));
    }
  });

  test.each([
    ['an unknown field', '{ nothing }'],
    [
      'a document above the limits',
      `{ ${Array.from({ length: 40 }, (__, i) => `a${i}: __typename`).join(' ')} }`,
    ],
    ['a document that is not GraphQL', '{'],
  ])('refuses %s with the errors of GraphQL over HTTP', async (__, query) => {
    const client = await open();
    const { errors } = await over({ query });
    expect(errors[0].extensions.code).toMatch(/^GRAPHQL_/);
    expect(await client.ask(query)).toEqual({ errors });
  });

  test('a caller without a token is anonymous', async () => {
    const client = await open();
    const { data, errors } = await client.ask('{ me { id } catalogListings(first: 1) { nodes { id } } }');
    expect([data.catalogListings.nodes.length >= 0, data.me, codeOf(errors)]).toEqual([
      true,
      null,
      'token_missing',
    ]);
    const refused = client.start({ query: subscription });
    await refused.until('it has ended', ({ end }) => end !== undefined);
    expect(codeOf(refused.results[0]?.errors)).toBe('token_missing');
  });

  test('closes the connection of a rejected token with its error code', async () => {
    const client = await open('nonsense');
    expect(await client.ask('{ __typename }')).toEqual({ code: 4403, reason: 'token_malformed' });
  });

  test('closes the connection when the session is revoked, and a new token continues the subscription', async () => {
    let { token } = seller;
    const client = await open(undefined, {
      connectionParams: () => ({ Authorization: `Bearer ${token}` }),
      retryAttempts: 3,
      retryWait: async () => undefined,
    });
    const events = client.start({ query: subscription });
    await events.until('connected', ({ results }) => results.length === 1);
    const other = await market.user();
    token = other.token;
    await seller.revokeMySession({ sessionId: seller.sessionId });
    await events.until('connected again', ({ results }) => results.length === 2);
    expect(client.closings).toMatchObject([{ code: 4403, reason: 'session_revoked' }]);
    await other.listing();
    await relay();
    await events.until('an event of the new caller', ({ results }) => results.length === 3);
  });

  test('refuses an operation on a connection whose token has expired', async () => {
    const client = await open(seller.token, { lazy: false, onNonLazyError: () => undefined });
    await client.ask('{ me { id } }');
    stack.advance(3_600_000);
    expect(await client.ask('{ me { id } }')).toEqual({ code: 4403, reason: 'token_expired' });
    stack.resetClock();
  });

  test('closes the connection of a suspended user', async () => {
    const client = await open(seller.token);
    const events = client.start({ query: subscription });
    await events.until('connected', ({ results }) => results.length === 1);
    await (await market.staff('moderator')).suspendUser({ userId: seller.id, reason: 'Fraud' });
    await events.until('it has ended', ({ end }) => end !== undefined);
    expect(events.end).toEqual({ error: { code: 4403, reason: 'session_revoked' } });
  });

  test('completes a subscription that ends while its caller has access', async () => {
    const client = await open(seller.token);
    const events = client.start({ query: subscription, variables: { after: 'nonsense' } });
    await events.until('it has ended', ({ end }) => end !== undefined);
    expect(codeOf(events.results[0]?.errors)).toBe('invalid_cursor');
    expect([events.end, client.closings.length]).toEqual([{}, 0]);
  });
});

describe('an upgrade to WebSocket', () => {
  const { stack, market } = product();
  const host = () => market.installation.hosts[0] ?? '';

  /** Returns the status of the response, 101 for a connection. */
  const upgrade = async (path: string, headers: Record<string, string>) => {
    const port = await stack.port();
    return new Promise<number | undefined>((done, failed) => {
      const call = request({
        port,
        path,
        agent: false,
        headers: {
          host: host(),
          connection: 'upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
          'sec-websocket-protocol': 'graphql-transport-ws',
          ...headers,
        },
      });
      call.once('error', failed);
      call.once('response', (response) => {
        response.resume();
        done(response.statusCode);
      });
      call.once('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        done(statusCode);
      });
      call.end();
    });
  };

  test.each<[string, number, string, Record<string, string>]>([
    ['is accepted', 101, '/graphql', {}],
    ['is accepted for a page of the same host', 101, '/graphql', { origin: 'same' }],
    ['is refused for a page of another origin', 403, '/graphql', { origin: 'https://evil.example' }],
    ['is refused for an unknown host', 404, '/graphql', { host: 'nowhere.example' }],
    ['is refused without a key', 400, '/graphql', { 'sec-websocket-key': 'short' }],
    ['is ignored at another path', 200, '/health/live', {}],
    ['to another protocol is ignored', 400, '/graphql', { upgrade: 'h2c' }],
  ])('%s (%i)', async (_, status, path, headers) => {
    const sent = headers.origin === 'same' ? { origin: `http://${host()}` } : headers;
    expect(await upgrade(path, sent)).toBe(status);
  });
});
