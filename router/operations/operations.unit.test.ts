import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { EventStreams } from '../../subgraphs/platform/http/EventStreams.ts';
import { composeFederation, engineOf } from '../../test/support/execution/federationFixture.ts';
import { listenLocally } from '../../test/support/servers/listenLocally.ts';
import { perFile } from '../../test/support/stack/lazily.ts';
import type { Router } from '../createRouter.ts';
import { graphqlEndpoint } from '../http/graphqlEndpoint.ts';
import type { DocumentStores } from './findDocument.ts';
import { RegisteredOperations } from './RegisteredOperations.ts';
import { RememberedQueries } from './RememberedQueries.ts';
import { hashOf, readOperations } from './readOperations.ts';

type Row = Record<string, unknown>;

const people: Readonly<Record<string, Row>> = { 1: { id: '1', name: 'Ada' }, 2: { id: '2', name: 'Bob' } };

const library = composeFederation({
  people: {
    typeDefs: `
      type Query { person(id: ID!): Person people: [Person!] }
      type Mutation { rename(id: ID!, name: String!): Person }
      type Person @key(fields: "id") { id: ID! name: String }
    `,
    resolvers: {
      Query: {
        person: (_: unknown, { id }: Row) => people[String(id)],
        people: () => Object.values(people),
      },
      Mutation: { rename: (_: unknown, { id, name }: Row) => ({ id, name }) },
      Person: { __resolveReference: ({ id }: Row) => people[String(id)] },
    },
  },
  books: {
    typeDefs: `
      type Query { books: [Book!] }
      type Book { title: String author: Person }
      type Person @key(fields: "id") { id: ID! books: [Book!] }
    `,
    resolvers: {
      Query: { books: () => [{ title: 'Notes', author: { id: '1' } }] },
      Person: { books: ({ id }: Row) => (id === '1' ? [{ title: 'Notes' }] : []) },
    },
  },
});
const engine = engineOf(library);
const folder = await mkdtemp(path.join(tmpdir(), 'operations-'));

const person = 'query person($id: ID!) { person(id: $id) { name books { title } } }';
const two = 'query a { books { title } } query b { people { name } }';
const rename = 'mutation rename { rename(id: "1", name: "Eve") { name } }';
const unfit = 'query old { nothing }';
const deep = `query deep { ${Array.from({ length: 40 }, (_, i) => `a${i}: books { title }`).join(' ')} }`;

await writeFile(path.join(folder, 'codegen.json'), JSON.stringify({ [hashOf(person)]: person, two }));
await mkdir(path.join(folder, 'inner'));
await writeFile(
  path.join(folder, 'inner', 'apollo.json'),
  JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [
      { id: 'r1', name: 'rename', type: 'mutation', body: rename },
      { id: 'u1', name: 'old', type: 'query', body: unfit },
    ],
  }),
);
await writeFile(path.join(folder, 'deep.graphql'), deep);

/** The GraphQL endpoint without authentication. Every caller is anonymous. */
interface Endpoint {
  readonly url: string;
  close(): Promise<unknown>;
}

async function serve(stores: DocumentStores): Promise<Endpoint> {
  const streams = new EventStreams();
  const context = {
    requestId: 'request',
    installation: { id: 'test', baseUrl: 'http://test' },
    viewerOrNull: {},
    platform: { streams },
    answer: {},
  };
  const router: Partial<Router> = {
    engine,
    apiSchema: engine.apiSchema,
    log: pino({ level: 'silent' }),
    isFull: () => false,
    openContext: () => context as unknown as RequestContext,
    identify: () => ({ kind: 'anonymous' }),
    answerOf: () => ({}),
  };
  const server = await listenLocally(createServer(graphqlEndpoint(router as Router, undefined, stores)));
  return {
    url: server.url,
    close() {
      streams.end();
      return server.close();
    },
  };
}

const registered = await RegisteredOperations.prepare(readOperations(folder), engine);
const router = perFile(() => serve({ registered, remembered: new RememberedQueries() }));
const closed = perFile(() =>
  serve({ registered, registeredOnly: true, remembered: new RememberedQueries() }),
);
afterAll(async () => {
  await router.close();
  await closed.close();
  engine.close();
  await rm(folder, { recursive: true });
});

async function post(to: Endpoint, body: Row, headers: Record<string, string> = {}): Promise<Row> {
  const response = await fetch(`${to.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Row;
}

function get(to: Endpoint, members: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(`${to.url}/graphql?${new URLSearchParams(members)}`, { headers });
}

const codeOf = (answer: Row) =>
  (answer.errors as { extensions: { code: string } }[] | undefined)?.[0]?.extensions.code;
const persisted = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hashOf(text) } });
const ada = { data: { person: { name: 'Ada', books: [{ title: 'Notes' }] } } };
const variables = { id: '1' };

describe('readOperations', () => {
  test('reads the manifests of usual generators, and the documents of a folder under their hash', () => {
    const ids = readOperations(folder).map(({ id, text }) => [id, text]);
    expect(Object.fromEntries(ids)).toEqual({
      [hashOf(person)]: person,
      two,
      r1: rename,
      u1: unfit,
      [hashOf(deep)]: deep,
    });
    expect(readOperations(path.join(folder, 'codegen.json'))).toHaveLength(2);
  });

  test.each([
    ['a missing file', null, 'The file or folder'],
    ['a file that is not JSON', '{', 'is not JSON.'],
    ['a list', '[]', 'is not a manifest of operations: it must be an object.'],
    [
      'another format',
      '{"format":"other","version":1,"operations":[]}',
      'has an unsupported manifest format: "other", version 1.',
    ],
    ['an operation without a document', '{"x":1}', 'has an operation without an id or a document.'],
  ])('refuses %s with the reason', async (_, text, words) => {
    const file = path.join(tmpdir(), `manifest-${process.pid}-${hashOf(String(text)).slice(0, 8)}.json`);
    if (text !== null) await writeFile(file, text);
    expect(() => readOperations(file)).toThrow(words);
    await rm(file, { force: true });
  });

  test('refuses two documents with the same id', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'operations-'));
    for (const name of ['a', 'b']) await writeFile(path.join(other, `${name}.json`), `{"x":"{ ${name} }"}`);
    expect(() => readOperations(other)).toThrow('has two documents with the id "x".');
    await rm(other, { recursive: true });
  });

  test('keeps operations that are invalid for the supergraph, which are reported and return their errors', async () => {
    expect(registered.unfit).toEqual([{ id: 'u1', reason: expect.stringContaining('nothing') as string }]);
    expect(codeOf(await post(router, { documentId: 'u1' }))).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('a registered operation', () => {
  test('is executed by its id, with or without the algorithm, by its hash or by its document', async () => {
    const id = hashOf(person);
    const names = [
      { documentId: id },
      { documentId: `sha256:${id}` },
      { extensions: persisted(person) },
      { query: person },
    ];
    for (const name of names) expect(await post(router, { ...name, variables })).toEqual(ada);
  });

  test('is selected by name if its document has several operations', async () => {
    expect(await post(router, { documentId: 'two', operationName: 'b' })).toEqual({
      data: { people: [{ name: 'Ada' }, { name: 'Bob' }] },
    });
    for (const unnamed of [{}, { operationName: 'c' }])
      expect(codeOf(await post(router, { documentId: 'two', ...unnamed }))).toBe(
        'OPERATION_RESOLUTION_FAILURE',
      );
  });

  test('can exceed the limits of unregistered operations', async () => {
    expect(await post(router, { documentId: hashOf(deep) })).toHaveProperty('data.a39');
    expect(codeOf(await post(router, { query: deep.replace('deep', 'other') }))).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
  });

  test('is refused with another document under its id', async () => {
    expect(codeOf(await post(router, { documentId: 'two', query: '{ people { id } }' }))).toBe(
      'PERSISTED_QUERY_MISMATCH',
    );
  });

  test('is answered to GET with an ETag, and with 304 if its answer is unchanged', async () => {
    const members = { documentId: hashOf(person), variables: JSON.stringify(variables) };
    const first = await get(router, members);
    expect(await first.json()).toEqual(ada);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('vary')).toBe('Accept, Authorization');
    const etag = String(first.headers.get('etag'));
    const second = await get(router, members, { 'if-none-match': `"other", ${etag}` });
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag]);
    const other = await get(router, { ...members, variables: '{"id":"2"}' }, { 'if-none-match': etag });
    expect(other.status).toBe(200);
    const byHash = await get(router, {
      extensions: JSON.stringify(persisted(person)),
      variables: members.variables,
    });
    expect(byHash.headers.get('etag')).toBe(etag);
  });

  test('has no ETag if its answer has errors, as an unregistered operation', async () => {
    const failed = { documentId: hashOf(person), variables: '{}' };
    for (const members of [failed, { query: '{ books { title } }' }]) {
      const { headers } = await get(router, members);
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    }
  });

  test('is refused with 405 by GET if it is a mutation', async () => {
    const response = await get(router, { documentId: 'r1' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await post(router, { documentId: 'r1' })).toEqual({ data: { rename: { name: 'Eve' } } });
  });

  test('is answered as an event stream if the client accepts one', async () => {
    const response = await fetch(`${router.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ documentId: hashOf(person), variables }),
    });
    expect(await response.text()).toContain(`data: ${JSON.stringify(ada)}`);
  });
});

describe('a router for registered operations only', () => {
  test('executes registered operations by id and by document', async () => {
    expect(await post(closed, { documentId: hashOf(person), variables })).toEqual(ada);
    expect(await post(closed, { query: person, variables })).toEqual(ada);
    expect(
      (await get(closed, { query: person, variables: '{"id":"1"}' })).headers.get('etag'),
    ).not.toBeNull();
  });

  test('refuses every other operation, including introspection and automatic persisted queries', async () => {
    const text = '{ books { title } }';
    for (const body of [
      { query: text },
      { query: '{ __schema { queryType { name } } }' },
      { query: text, extensions: persisted(text) },
      { extensions: persisted(text) },
      { documentId: 'none' },
      {},
    ])
      expect([body, codeOf(await post(closed, body))]).toEqual([body, 'OPERATION_NOT_REGISTERED']);
    expect(codeOf((await (await get(closed, { query: text })).json()) as Row)).toBe(
      'OPERATION_NOT_REGISTERED',
    );
  });

  test('refuses malformed requests with 400 and forms with 415', async () => {
    const send = async (body: BodyInit, headers: Record<string, string> = {}) =>
      (await fetch(`${closed.url}/graphql`, { method: 'POST', headers, body })).status;
    expect(await send('{', { 'content-type': 'application/json' })).toBe(400);
    expect(await send(new URLSearchParams({ documentId: 'r1' }))).toBe(415);
  });
});

describe('automatic persisted queries', () => {
  const text = 'query apq { books { author { name } } }';
  const answer = { data: { books: [{ author: { name: 'Ada' } }] } };

  test('are sent once with their document and then executed by their hash', async () => {
    const missing = await post(router, { extensions: persisted(text) });
    expect(missing).toMatchObject({ errors: [{ message: 'PersistedQueryNotFound' }] });
    expect(codeOf(missing)).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await post(router, { query: text, extensions: persisted(text) })).toEqual(answer);
    expect(await post(router, { extensions: persisted(text) })).toEqual(answer);
    const read = await get(router, { extensions: JSON.stringify(persisted(text)) });
    expect([await read.json(), read.headers.get('etag')]).toEqual([answer, null]);
  });

  test('are refused under the hash of another document', async () => {
    const extensions = persisted('{ books { title } }');
    const mismatch = await post(router, { query: '{ people { name } }', extensions });
    expect(codeOf(mismatch)).toBe('PERSISTED_QUERY_MISMATCH');
    expect(codeOf(await post(router, { extensions }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('are refused beyond the limits of documents', async () => {
    const large = deep.replace('deep', 'large');
    for (const query of [{ query: large }, {}])
      expect(codeOf(await post(router, { ...query, extensions: persisted(large) }))).toBe(
        'GRAPHQL_VALIDATION_FAILED',
      );
  });

  test('are dropped when they are the least recently used, and not stored if they are very large', () => {
    const remembered = new RememberedQueries(3);
    const texts = ['{ a }', '{ b }', '{ c }', '{ d }'];
    for (const each of texts.slice(0, 3)) expect(remembered.remember(hashOf(each), each)).toBe(true);
    remembered.find(hashOf('{ a }'));
    remembered.remember(hashOf('{ d }'), '{ d }');
    const held = texts.map((each) => remembered.find(hashOf(each)) !== undefined);
    expect(held).toEqual([true, false, true, true]);
    const huge = `# ${'x'.repeat(60_000)}\n{ a }`;
    remembered.remember(hashOf(huge), huge);
    expect(remembered.find(hashOf(huge))).toBeUndefined();
  });
});
