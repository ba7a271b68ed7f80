import { product } from '../../test/support/product.ts';
import { openEventStream } from '../../test/support/stack/openEventStream.ts';

const world = product();
const mutation = `/graphql?query=${encodeURIComponent('mutation { updateMe(input: {}) { me { id } } }')}`;
const preferred = 'application/graphql-response+json, application/json;q=0.9';

interface Refused {
  readonly method: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
  readonly token?: string;
}

const refused: [string, number, string, string, Refused][] = [
  ['a token that is malformed', 401, 'UNAUTHENTICATED', 'token_malformed', { method: 'POST', token: 'x' }],
  [
    'an operation whose fields all need a token',
    401,
    'UNAUTHENTICATED',
    'token_missing',
    { method: 'POST', body: { query: '{ me { id } }' } },
  ],
  ['another method', 405, 'METHOD_NOT_ALLOWED', 'method_not_allowed', { method: 'PUT' }],
  [
    'a mutation sent with GET',
    405,
    'METHOD_NOT_ALLOWED',
    'method_not_allowed',
    { method: 'GET', path: mutation },
  ],
  [
    'a body above the limit',
    413,
    'PAYLOAD_TOO_LARGE',
    'payload_too_large',
    { method: 'POST', body: { query: 'x'.repeat(2.6 * 1024 * 1024) } },
  ],
  [
    'a form',
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'unsupported_media_type',
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'query=x' },
  ],
];

function send({ path = '/graphql', headers = {}, ...request }: Refused, accept: string) {
  return world.send({ path, ...request, headers: Object.entries({ accept, ...headers }) });
}

/** Headers that HTTP requires with a status. */
const required: Readonly<Record<number, object>> = {
  401: { 'www-authenticate': expect.stringMatching(/^Bearer realm="ins_\w+"/) },
  405: { allow: expect.stringContaining('POST') },
};

test.each(refused)(
  'refuses %s with %i and %s in the media type that the client prefers',
  async (_, status, code, problemCode, request) => {
    for (const [accept, type] of [
      [preferred, 'application/graphql-response+json; charset=utf-8'],
      ['application/json', 'application/json; charset=utf-8'],
      ['*/*', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await send(request, accept);
      expect([answer.status, answer.headers['content-type']]).toEqual([status, type]);
      expect(answer.headers).toMatchObject(required[status] ?? {});
      expect(answer.json).toMatchObject({
        errors: [{ extensions: { code, problem: { code: problemCode, status } } }],
      });
    }
  },
);

test('refuses another method with 405 although the client accepts no GraphQL response', async () => {
  const answer = await send({ method: 'DELETE' }, 'text/html');
  expect([answer.status, Object(answer.headers).allow]).toEqual([405, 'GET, POST']);
  expect(answer.json).toMatchObject({ errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] });
});

test('refuses a client that accepts no GraphQL response with 406 and NOT_ACCEPTABLE as JSON', async () => {
  const answer = await send({ method: 'POST', body: { query: '{ me { id } }' } }, 'image/png');
  expect([answer.status, answer.headers['content-type']]).toEqual([406, 'application/json; charset=utf-8']);
  expect(answer.json).toMatchObject({ errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] });
});

test('refuses a mutation sent with GET as an event stream with 405 and Allow', async () => {
  const answer = await send({ method: 'GET', path: mutation }, 'text/event-stream');
  expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
});

describe('a client that accepts JSON first, then a stream, as urql does', () => {
  const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';

  test('gets the result of a query as JSON', async () => {
    const answer = await send({ method: 'POST', body: { query: '{ __typename }' } }, accept);
    expect(answer.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
    expect(answer.json).toEqual({ data: { __typename: 'Query' } });
  });

  test('gets a subscription as a stream', async () => {
    const user = await world.market.user();
    const stream = await openEventStream(`http://127.0.0.1:${await world.stack.port()}/graphql`, {
      token: user.token,
      headers: { accept, host: world.market.installation.hosts[0] ?? '' },
      body: { query: 'subscription { events { cursor } }' },
    });
    await stream.until('the first result', ({ received }) => received.length > 0);
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    stream.close();
  });
});

test('a client that names a stream first gets a query as a stream', async () => {
  const answer = await send(
    { method: 'POST', body: { query: '{ __typename }' } },
    'text/event-stream, application/json',
  );
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(answer.text).toContain('event: complete');
});

describe('/graphql in a browser', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('redirects a page view without a query to the explorer', async () => {
    const answer = await send({ method: 'GET' }, browser);
    expect([answer.status, answer.headers.location]).toEqual([302, '/graphiql']);
    expect(answer.headers.vary).toContain('Accept');
  });

  test('answers a query, and every request of a client that prefers JSON', async () => {
    const query = `/graphql?query=${encodeURIComponent('{ __typename }')}`;
    expect((await send({ method: 'GET', path: query }, browser)).status).toBe(200);
    for (const accept of ['*/*', 'application/json', `application/json, ${browser}`])
      expect((await send({ method: 'GET' }, accept)).status).toBe(400);
    expect((await send({ method: 'POST', body: { query: '{ __typename }' } }, browser)).status).toBe(200);
  });
});
