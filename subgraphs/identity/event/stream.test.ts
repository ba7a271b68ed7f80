import { collection } from '../../../test/authorization/collection.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { type EventStream, openEventStream } from '../../../test/support/openEventStream.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../test/support/seed.ts';
import type { ToldEvent } from '../../platform/events/model.ts';
import { storeEvents } from '../../platform/events/storeEvents.ts';
import { buildIdentity } from '../server.ts';
import { StreamPlaces } from './StreamPlaces.ts';

let rest: RestStack;
let shop: SeededInstallation;
const open: EventStream[] = [];

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => rest.close());

const call = (method: string, route: string, { token }: SeededUser, body?: object) =>
  rest.call(method, route, { token, ...(body ? { body } : {}) });
const listen = async ({ token }: { token: string }, headers: Record<string, string> = {}, query = '') => {
  const stream = await openEventStream(`${rest.origin}/api/v1/me/events${query}`, { token, headers });
  open.push(stream);
  return stream;
};
/** Somebody asks somebody else about a listing; `say` writes on, and tells of it. */
const talk = async () => {
  const [buyer, seller] = [await shop.user(), await shop.user()];
  const { id: listingId } = await seller.listing({ published: true });
  const { body } = await call('POST', '/api/v1/conversations', buyer, { listingId, text: 'First.' });
  const path = `/api/v1/conversations/${body.id}`;
  const relay = () => rest.stack.runJob('identity.relay');
  await relay();
  return {
    buyer,
    seller,
    path,
    relay,
    async say(as: SeededUser, times = 1) {
      for (let time = 0; time < times; time += 1)
        await call('POST', `${path}/messages`, as, { text: 'More.' });
      await relay();
    },
  };
};
const seqsOf = ({ received }: Pick<EventStream, 'received'>) =>
  received.filter(({ event }) => event === 'message.created').map(({ data }) => data.data.seq);
const upTo = (seq: number) => (stream: EventStream) => seqsOf(stream).at(-1) === seq;

test('what happens comes at once, as it is in the feed, to those whom it concerns and to nobody else', async () => {
  const { buyer, seller, say } = await talk();
  const streams = [await listen(buyer), await listen(seller), await listen(await shop.user())] as const;
  for (const stream of streams) {
    await stream.until('it is connected', ({ lastId }) => lastId !== '');
    expect(stream).toMatchObject({ status: 200, received: [] });
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      vary: 'Accept',
    });
  }
  await say(buyer, 2);
  const [ofBuyer, ofSeller, ofOther] = streams;
  for (const stream of [ofBuyer, ofSeller]) await stream.until('both messages', upTo(3));
  expect(ofSeller.received.map(({ data }) => data.data.unreadCount)).toEqual([2, 3]);
  expect(ofBuyer.received.map(({ data }) => data.data.unreadCount)).toEqual([0, 0]);
  const { body } = await call('GET', '/api/v1/me/events?limit=100', seller);
  const last = body.data.at(-1);
  const { cursor: _, ...shown } = ofSeller.received.at(-1)?.data ?? {};
  expect(last).toMatchObject(shown);
  expect(ofOther.received).toEqual([]);
});

test('what this process stores is handed to its streams as it is, and read by none of them', async () => {
  const { buyer, seller, path, relay } = await talk();
  const streams = await Promise.all([listen(seller), listen(seller), listen(buyer)]);
  for (const stream of streams) await stream.until('connected', ({ lastId }) => lastId !== '');
  await call('POST', `${path}/messages`, buyer, { text: 'More.' });
  const commands = await commandsOf(async () => {
    await relay();
    for (const stream of streams) await stream.until('the message', upTo(2));
  });
  expect(commands).not.toContain('find events');
});

test('what another process has stored meanwhile comes in its place', async () => {
  const { buyer, seller, say } = await talk();
  const stream = await listen(seller);
  await stream.until('connected', ({ lastId }) => lastId !== '');
  const elsewhere = (number: number): ToldEvent => ({
    id: unique('elsewhere'),
    at: new Date(),
    type: 'message.created',
    installationId: shop.installation.id,
    object: { type: 'conversation', id: 'cnv_elsewhere' },
    contentVersion: 1,
    payload: null,
    feed: [{ party: seller.id, data: { seq: number } }],
  });
  for (const number of [101, 102]) {
    await storeEvents([elsewhere(number)]);
    await say(buyer);
  }
  await stream.until('the last one', upTo(3));
  expect(seqsOf(stream)).toEqual([101, 2, 102, 3]);
});

test('whoever comes back with the last id gets what he has missed, once and in order, and what comes then', async () => {
  const { buyer, seller, say } = await talk();
  const first = await listen(seller);
  await say(buyer, 2);
  await first.until('two messages', upTo(3));
  first.close();
  await say(buyer, 250);
  const second = await listen(seller, { 'last-event-id': first.lastId });
  await say(buyer, 3);
  await second.until('everything', upTo(256));
  expect(seqsOf(second)).toEqual(Array.from({ length: 253 }, (_, index) => index + 4));
}, 60_000);

test('a stream goes on from where a page ended, and from its first id though nothing has happened', async () => {
  const { buyer, seller, say } = await talk();
  const { body } = await call('GET', '/api/v1/me/events', seller);
  const quiet = await listen(seller);
  await quiet.until('its first id', ({ lastId }) => lastId !== '');
  quiet.close();
  await say(buyer);
  const behindPage = await listen(seller, {}, `?cursor=${body.meta.resumeCursor}`);
  const behindFirst = await listen(seller, { 'last-event-id': quiet.lastId });
  for (const stream of [behindPage, behindFirst]) {
    await stream.until('the message', upTo(2));
    expect(seqsOf(stream)).toEqual([2]);
  }
});

test('a stream ends with its session, and another one of the same person goes on', async () => {
  const { buyer, seller, say } = await talk();
  const { body } = await rest.call('POST', '/api/v1/auth/token', {
    body: { grant_type: 'refresh_token', refresh_token: buyer.refreshToken },
  });
  const ended = await listen(seller);
  const lasting = await listen({ token: body.access_token });
  for (const stream of [ended, lasting]) await stream.until('connected', ({ lastId }) => lastId !== '');
  const revoked = await call('DELETE', `/api/v1/me/sessions/${seller.sessionId}`, seller);
  expect(revoked.status).toBe(204);
  await ended.until('it has ended', ({ hasEnded }) => hasEnded);
  await say(buyer);
  await lasting.until('the message', upTo(2));
  expect(ended.received).toEqual([]);
  const again = await listen(seller, { 'last-event-id': ended.lastId });
  expect(again).toMatchObject({ status: 401 });
});

test('who is suspended, and who has left the dealer, hears no more of it', async () => {
  const agent = await shop.user();
  const garage = await shop.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  const [buyer, moderator] = [await shop.user(), await shop.staff('moderator')];
  const { body } = await call('POST', '/api/v1/conversations', buyer, { dealerId: garage.id, text: 'Open?' });
  const ofAgent = await listen(agent);
  const ofOwner = await listen(garage.owner);
  for (const stream of [ofAgent, ofOwner]) await stream.until('connected', ({ lastId }) => lastId !== '');
  await call('DELETE', `/api/v1/dealers/${garage.id}/members/${agent.id}`, garage.owner);
  await call('POST', `/api/v1/conversations/${body.id}/messages`, buyer, { text: 'Hello?' });
  await rest.stack.runJob('identity.relay');
  await ofOwner.until('the message', upTo(2));
  expect(ofAgent.received.filter(({ event }) => event === 'message.created')).toEqual([]);
  await call('POST', `/api/v1/admin/users/${agent.id}/suspend`, moderator, { reason: 'Fraud' });
  await ofAgent.until('it has ended', ({ hasEnded }) => hasEnded);
  expect(ofOwner.hasEnded).toBe(false);
});

/** Opens streams until there is room for no more. */
const fill = async (user: SeededUser) => {
  const streams: EventStream[] = [];
  for (let status = 200; status === 200; status = streams.at(-1)?.status ?? 0)
    streams.push(await listen(user));
  const refused = streams.pop();
  expect(refused?.status).toBe(429);
  await refused?.until('it is refused', ({ text }) => text.includes('rate_limited'));
  return streams;
};

test('somebody has five streams at all processes, and those of a process that was killed are free again', async () => {
  const user = await shop.user();
  const owner = { installationId: shop.installation.id, viewerId: user.id, leftMs: 600_000 };
  const fail = (error: unknown) => {
    throw error;
  };
  const elsewhere = new StreamPlaces(fail, { markMs: 600_000 });
  const [first] = await Promise.all([elsewhere.take(owner), elsewhere.take(owner), elsewhere.take(owner)]);
  expect(await fill(user)).toHaveLength(2);
  first();
  await expect(elsewhere.take(owner)).resolves.toBeInstanceOf(Function);
  expect(await fill(user)).toHaveLength(0);
  // It says nothing any more.
  await collection('leases').updateMany({ _id: /^streams:/ }, { $set: { until: new Date(0) } });
  expect(await fill(user)).toHaveLength(3);
  await elsewhere.close();
});

test('somebody has five streams, and a sixth one when one of them has ended', async () => {
  const user = await shop.user();
  const streams = await fill(user);
  expect(streams).toHaveLength(5);
  streams[0]?.close();
  for (let status = 429; status === 429; ) {
    const next = await listen(user);
    status = next.status;
    if (status === 429) await new Promise((rested) => setTimeout(rested, 50));
  }
});

test('what somebody does not take at once waits for him, and comes in order', async () => {
  const { seller } = await talk();
  const stream = await listen(seller);
  await stream.until('connected', ({ lastId }) => lastId !== '');
  stream.pause();
  const count = 2000;
  const [latest] = await collection('events').find({}).sort({ position: -1 }).limit(1).toArray();
  const events = Array.from({ length: count }, (_, index) => ({
    _id: `flood-${index}`,
    position: Number(latest?.position) + 1 + index,
    storedAt: new Date(),
    at: new Date(),
    type: 'conversation.updated',
    installationId: shop.installation.id,
    object: { type: 'conversation', id: 'cnv_flood' },
    contentVersion: 1,
    payload: null,
    feed: [{ party: seller.id, data: { index, filling: 'x'.repeat(2000) } }],
  }));
  await collection('events').insertMany(events);
  rest.stack.platform.wakeUps.wake('events');
  stream.resume();
  await stream.until('everything', ({ received }) => received.length === count);
  expect(stream.received.map(({ data }) => data.data.index)).toEqual(events.map((_, index) => index));
}, 60_000);
