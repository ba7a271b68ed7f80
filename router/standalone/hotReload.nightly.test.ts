import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { composeFederation, serveSubgraphs } from '../execution/fixture/federationFixture.ts';
import { library, type OpenRouter, openRouter, urlArguments, writeSupergraph } from './fixture.ts';

type Row = Record<string, unknown>;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Until a condition holds; as patient as a busy machine needs. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; !(await condition()); round++) {
    if (round > 300) throw new Error('The condition never held.');
    await pause(50);
  }
}

async function open(
  sdl: string,
  urls: Readonly<Record<string, string>>,
): Promise<OpenRouter & { file: string }> {
  const written = await writeSupergraph(sdl);
  closing.push(written.remove);
  const router = await openRouter(['--supergraph', written.file, ...urlArguments(urls)]);
  closing.push(() => router.close());
  return { ...router, file: written.file };
}

/** The same subgraphs, of which one has got a new field. */
function grown() {
  return composeFederation({
    people: {
      typeDefs: `
        type Query { person(id: ID!): Person people: [Person!] }
        type Mutation { rename(id: ID!, name: String!): Person }
        type Person @key(fields: "id") { id: ID! name: String shoeSize: Int }
      `,
      resolvers: { Query: { person: () => ({ id: '1', name: 'Ada', shoeSize: 39 }) } },
    },
    books: {
      typeDefs: `
        type Query { books: [Book!] }
        type Book { title: String author: Person }
        type Person @key(fields: "id") { id: ID! books: [Book!] }
      `,
      resolvers: {},
    },
  });
}

const sized = '{ person(id: "1") { shoeSize } }';
const named = '{ person(id: "1") { name } }';

describe('a supergraph whose file changes', () => {
  test('is served anew, and no request under way is lost', async () => {
    const next = grown();
    const subgraphs = await serveSubgraphs({
      schemas: { ...library.schemas, people: next.schemas.people as never },
    });
    closing.push(subgraphs.close);
    const router = await open(library.supergraphSdl, subgraphs.urls);
    expect(await router.ask(sized)).toHaveProperty('errors');
    const client = new AbortController();
    let asked = 0;
    const lost: Row[] = [];
    const clients = Array.from({ length: 4 }, async () => {
      while (!client.signal.aborted) {
        const answer = await router.ask(named);
        asked++;
        if (JSON.stringify(answer) !== '{"data":{"person":{"name":"Ada"}}}') lost.push(answer);
        await pause(5);
      }
    });
    for (const sdl of [next.supergraphSdl, library.supergraphSdl, next.supergraphSdl]) {
      await writeFile(router.file, sdl);
      const isNext = sdl === next.supergraphSdl;
      await until(async () => 'errors' in (await router.ask(sized)) !== isNext);
    }
    client.abort();
    await Promise.all(clients);
    expect(lost).toEqual([]);
    expect(asked).toBeGreaterThan(10);
    expect(router.log.filter(({ msg }) => msg === 'the supergraph was replaced')).toHaveLength(3);
  });

  test('that is broken, no supergraph or gone leaves the last good one, and the log says so', async () => {
    const subgraphs = await serveSubgraphs(library);
    closing.push(subgraphs.close);
    const router = await open(library.supergraphSdl, subgraphs.urls);
    const reasons = () => router.log.filter(({ msg }) => msg === 'the last good supergraph is kept');
    const broken = [
      'type {',
      'type Query { a: Int }',
      // Reads well, and has no valid API.
      library.supergraphSdl.replaceAll('Book', 'NoSuchType').replace('type NoSuchType', 'type Another'),
      null,
    ];
    for (const [index, text] of broken.entries()) {
      await (text === null ? rm(router.file) : writeFile(router.file, text));
      await until(() => reasons().length > index);
      expect(await router.ask(named)).toEqual({ data: { person: { name: 'Ada' } } });
    }
    expect(reasons().map(({ reason }) => reason)).toEqual([
      expect.stringContaining('is no GraphQL'),
      expect.stringContaining('is no supergraph'),
      expect.any(String),
      expect.stringContaining('There is no file'),
    ]);
    await writeFile(router.file, `${library.supergraphSdl}\n# repaired`);
    await until(() => router.log.some(({ msg }) => msg === 'the supergraph was replaced'));
    expect(await router.ask(named)).toEqual({ data: { person: { name: 'Ada' } } });
  });

  test('lets a request end where it began, though its subgraph is gone from the next one', async () => {
    const waiting: ServerResponse[] = [];
    const old = await serveBy((response) => void waiting.push(response));
    const subgraphs = await serveSubgraphs(library);
    closing.push(subgraphs.close);
    const router = await open(
      library.supergraphSdl
        .replace('http://people.invalid', old.url)
        .replace('http://books.invalid', String(subgraphs.urls.books)),
      {},
    );
    const asked = router.ask(named);
    await until(() => waiting.length === 1);
    await writeFile(
      router.file,
      library.supergraphSdl
        .replace('http://people.invalid', String(subgraphs.urls.people))
        .replace('http://books.invalid', String(subgraphs.urls.books)),
    );
    await until(() => router.log.some(({ msg }) => msg === 'the supergraph was replaced'));
    expect(await router.ask(named)).toEqual({ data: { person: { name: 'Ada' } } });
    waiting[0]?.end('{"data":{"person":{"name":"of old"}}}');
    expect(await asked).toEqual({ data: { person: { name: 'of old' } } });
    // Nobody needs the old place any more, so its connections are given back.
    await until(() => old.connections() === 0);
  });

  test('lets a subscription go on, and new ones begin at the new one', async () => {
    const feed = composeFederation({
      feed: { typeDefs: 'type Query { a: Int } type Subscription { tick: Int }', resolvers: {} },
    });
    const streams: ServerResponse[] = [];
    const server = await serveBy((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      streams.push(response);
    });
    const router = await open(feed.supergraphSdl, { feed: server.url });
    const first = await subscribe(router.url);
    await until(() => streams.length === 1);
    streams[0]?.write('event: next\ndata: {"data":{"tick":1}}\n\n');
    await until(() => first.text().includes('{"tick":1}'));
    await writeFile(router.file, `${feed.supergraphSdl}\n# new`);
    await until(() => router.log.some(({ msg }) => msg === 'the supergraph was replaced'));
    const second = await subscribe(router.url);
    await until(() => streams.length === 2);
    streams[0]?.write('event: next\ndata: {"data":{"tick":2}}\n\n');
    streams[1]?.write('event: next\ndata: {"data":{"tick":3}}\n\n');
    await until(() => first.text().includes('{"tick":2}') && second.text().includes('{"tick":3}'));
    streams[0]?.end('event: complete\ndata:\n\n');
    await until(() => first.text().includes('event: complete'));
    // A client that leaves ends its subscription at the subgraph.
    second.leave();
    await until(() => streams[1]?.destroyed === true);
    expect(streams).toHaveLength(2);
  });
});

async function serveBy(
  answer: (response: ServerResponse) => void,
): Promise<{ url: string; connections(): number }> {
  let open = 0;
  const server: Server = createServer((request, response) => {
    request.resume().once('end', () => answer(response));
  });
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => open--);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    connections: () => open,
  };
}

async function subscribe(url: string): Promise<{ text(): string; leave(): void }> {
  const client = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { tick }' }),
    signal: client.signal,
  });
  let text = '';
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return { text: () => text, leave: () => client.abort() };
}
