import type { SeededUser } from '../../../test/support/seed.ts';
import { type FeedEvent, memoryStorage, type TrigateClient } from '../src/client.ts';
import { readEvents, type ServerEvent } from '../src/events/readEvents.ts';
import * as documents from '../src/graphql/documents.generated.ts';
import { useClients } from './useClients.ts';

const clients = useClients();
let seller: SeededUser;
let client: TrigateClient;
/** Open connections of streams. */
let connections: AbortController[];

beforeEach(async () => {
  connections = [];
  seller = await clients.shop.user();
  client = clients.client({ storage: memoryStorage(tokensOf(seller)), fetch: breakable });
});

const tokensOf = ({ token, refreshToken, sessionId }: SeededUser, expiresAt = Date.now() + 600_000) => ({
  accessToken: token,
  refreshToken,
  sessionId,
  expiresAt,
});

/** A `fetch` whose streams can be disconnected, as by a lost network. */
async function breakable(request: Request): Promise<Response> {
  const isStream = request.headers.get('accept') === 'text/event-stream';
  if (!isStream) return fetch(request);
  const connection = new AbortController();
  const signal = AbortSignal.any([connection.signal, request.signal]);
  const response = await fetch(request, { signal });
  connections.push(connection);
  return response;
}

const relay = () => clients.world.stack.runJob('identity.relay');
const streams = () => clients.sent.filter(({ headers }) => headers.get('accept') === 'text/event-stream');

async function until(holds: () => boolean): Promise<void> {
  for (const last = Date.now() + 30_000; !holds(); ) {
    if (Date.now() > last) throw new Error('The condition did not become true.');
    await new Promise((done) => setTimeout(done, 30));
  }
}

/** Reads a generator in the background; `done` settles with its end. */
function collect<Entry>(source: AsyncGenerator<Entry>) {
  const entries: Entry[] = [];
  const done = (async () => {
    for await (const entry of source) entries.push(entry);
  })();
  done.catch(() => undefined);
  return { entries, done };
}

test('a feed delivers an event when it happens', async () => {
  const stop = new AbortController();
  const feed = collect(client.events({ signal: stop.signal }));
  await until(() => connections.length === 1);
  const { id } = await seller.listing({ title: 'Violin' });
  await relay();
  await until(() => feed.entries.length === 1);
  expect(feed.entries[0]).toMatchObject({
    type: 'listing.created',
    resource: { type: 'listing', id },
    data: { title: 'Violin' },
  } satisfies Partial<Record<keyof FeedEvent, unknown>>);
  stop.abort();
  await feed.done;
});

test('a feed loses and repeats no event when its connection is lost', async () => {
  const stop = new AbortController();
  const feed = collect(client.events({ signal: stop.signal }));
  const delivered: string[] = [];
  for (let round = 1; round <= 3; round += 1) {
    await until(() => connections.length === round);
    delivered.push((await seller.listing()).id);
    await relay();
    await until(() => feed.entries.length === delivered.length);
    connections.at(-1)?.abort(new Error('lost'));
    // An event without a connection is delivered by the next one.
    delivered.push((await seller.listing()).id);
    await relay();
    await until(() => feed.entries.length === delivered.length);
  }
  expect(feed.entries.map(({ resource }) => resource.id)).toEqual(delivered);
  const ids = streams().map(({ headers }) => headers.get('last-event-id'));
  expect(ids[0]).toBeNull();
  expect(new Set(ids).size).toBe(ids.length);
  stop.abort();
  await feed.done;
});

test('a feed continues with a renewed token when its token has expired', async () => {
  const storage = memoryStorage(tokensOf(seller, 0));
  const renewing = clients.client({ storage, fetch: breakable });
  const stop = new AbortController();
  const feed = collect(renewing.events({ signal: stop.signal }));
  await until(() => connections.length === 1);
  expect(storage.read()?.accessToken).not.toBe(seller.token);
  storage.write({ ...storage.read(), expiresAt: 0 } as never);
  const before = storage.read()?.accessToken;
  connections[0]?.abort(new Error('lost'));
  await until(() => connections.length === 2);
  expect(storage.read()?.accessToken).not.toBe(before);
  stop.abort();
  await feed.done;
});

test('a silent event stream is closed and requested again', async () => {
  const stop = new AbortController();
  const feed = collect(client.events({ signal: stop.signal, silenceMs: 400 }));
  await until(() => connections.length >= 3);
  stop.abort();
  await feed.done;
  expect(feed.entries).toEqual([]);
});

test('an unknown cursor or a missing session ends a feed', async () => {
  await expect(collect(client.events({ after: 'nonsense' })).done).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
  await expect(collect(clients.client().events()).done).rejects.toMatchObject({ status: 401 });
});

test('a subscription continues after its last event', async () => {
  const stop = new AbortController();
  const subscription = client.subscribe(
    documents.events,
    {},
    { signal: stop.signal, resume: ({ events }) => ({ after: events.cursor }) },
  );
  const results = collect(subscription);
  const heard = () => results.entries.flatMap(({ events }) => events.event?.resource.resourceId ?? []);
  await until(() => results.entries.length === 1);
  const delivered = [(await seller.listing()).id];
  await relay();
  await until(() => heard().length === 1);
  connections.at(-1)?.abort(new Error('lost'));
  delivered.push((await seller.listing()).id);
  await relay();
  await until(() => heard().length === 2);
  expect(heard()).toEqual(delivered);
  stop.abort();
  await results.done;
});

test.each([
  ['as one', (text: string) => [text]],
  ['byte by byte', (text: string) => [...text]],
])('event frames are parsed when they arrive %s', async (_, cut) => {
  const text =
    ': hello\r\n\r\nid: 1\r\n\r\nid: 2\nevent: a\ndata: {"x":\ndata: 1}\n\n:beat\n\ndata: é\r\rid: 3\ndata\n\n';
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of cut(text)) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(stream)) events.push(event);
  expect(events).toEqual([
    { id: '1', type: 'message', data: '' },
    { id: '2', type: 'a', data: '{"x":\n1}' },
    { id: '2', type: 'message', data: 'é' },
    { id: '3', type: 'message', data: '' },
  ]);
});
