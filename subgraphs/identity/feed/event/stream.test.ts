import { signInAgain } from '../../../../test/support/people/signInAgain.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { type EventStream, openEventStream } from '../../../../test/support/stack/openEventStream.ts';
import type { ToldEvent } from '../../../platform/events/model.ts';
import { storeEvents } from '../../../platform/events/storeEvents.ts';
import { OpenStreamModel } from './model.ts';
import { OpenStreams } from './OpenStreams.ts';

const { market, stack } = product();
const open: EventStream[] = [];
let conversationId: string;

const buyer = perTest(() => market.user());
const seller = perTest(() => market.user());
beforeEach(async () => {
  const { id: listingId } = await seller.listing({ published: true });
  const started = await buyer.startConversation({ listingId, text: 'First.' }, 'conversation { id }');
  conversationId = started.conversation.id;
  await relay();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const relay = () => stack.runJob('identity.relay');
const listen = async (token: string, { lastId = '', query = '' } = {}) => {
  const url = `http://127.0.0.1:${await stack.port()}/api/v1/me/events${query}`;
  const host = market.installation.hosts[0] ?? '';
  const headers = { host, ...(lastId && { 'last-event-id': lastId }) };
  const stream = await openEventStream(url, { token, headers });
  open.push(stream);
  return stream;
};
const connect = async (token: string) => {
  const stream = await listen(token);
  await stream.until('it is connected', ({ lastId }) => lastId !== '');
  return stream;
};
const hasEnded = (stream: EventStream) => stream.until('it has ended', (one) => one.hasEnded);
const write = async (times = 1, author = buyer) => {
  for (let time = 0; time < times; time += 1) await author.sendMessage({ conversationId, text: 'More.' });
  await relay();
};
const seqsOf = ({ received }: Pick<EventStream, 'received'>) =>
  received.filter(({ event }) => event === 'message.created').map(({ data }) => data.data.seq);
const receive = (stream: EventStream, seq: number) =>
  stream.until(`message ${seq}`, (one) => seqsOf(one).at(-1) === seq);
const eventFor = (
  { id }: SeededUser,
  type: 'message.created' | 'conversation.updated',
  data: Record<string, unknown>,
): ToldEvent => ({
  id: unique('event'),
  at: new Date(),
  type,
  installationId: market.installation.id,
  object: { type: 'conversation', id: 'cnv_elsewhere' },
  contentVersion: 1,
  payload: null,
  feed: [{ party: id, data }],
});

test('events are streamed with the data of the feed, only to the users whom they concern', async () => {
  const [ofBuyer, ofSeller, ofOther] = [
    await connect(buyer.token),
    await connect(seller.token),
    await connect((await market.user()).token),
  ];
  expect(ofSeller).toMatchObject({
    status: 200,
    received: [],
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      vary: 'Accept-Encoding, Accept',
    },
  });
  await write(2);
  for (const stream of [ofBuyer, ofSeller]) await receive(stream, 3);
  expect(ofSeller.received.map(({ data }) => data.data.unreadCount)).toEqual([2, 3]);
  expect(ofBuyer.received.map(({ data }) => data.data.unreadCount)).toEqual([0, 0]);
  const { body } = await seller.rest('GET', '/api/v1/me/events?limit=100');
  const { cursor: _, ...shown } = ofSeller.received.at(-1)?.data ?? {};
  expect(body.data.at(-1)).toMatchObject(shown);
  expect(ofOther.received).toEqual([]);
});

test('events that a process stores reach its streams without a read', async () => {
  const streams = await Promise.all([seller, seller, buyer].map(({ token }) => connect(token)));
  await buyer.sendMessage({ conversationId, text: 'More.' });
  const commands = await commandsOf(async () => {
    await relay();
    for (const stream of streams) await receive(stream, 2);
  });
  expect(commands).not.toContain('find events');
});

test('events that another process stores are streamed in their order', async () => {
  const stream = await connect(seller.token);
  for (const seq of [101, 102]) {
    await storeEvents([eventFor(seller, 'message.created', { seq })]);
    await write();
  }
  await receive(stream, 3);
  expect(seqsOf(stream)).toEqual([101, 2, 102, 3]);
});

test('a stream with a last event id delivers missed and later events once and in order', async () => {
  const first = await listen(seller.token);
  await write(2);
  await receive(first, 3);
  first.close();
  const seqs = Array.from({ length: 250 }, (_, index) => index + 4);
  await storeEvents(seqs.map((seq) => eventFor(seller, 'message.created', { seq })));
  const second = await listen(seller.token, { lastId: first.lastId });
  await storeEvents([254, 255].map((seq) => eventFor(seller, 'message.created', { seq })));
  await write();
  await receive(second, 4);
  expect(seqsOf(second)).toEqual([...seqs, 254, 255, 4]);
});

test('a stream continues after a page of the feed, and after the first id of a stream without events', async () => {
  const { resumeCursor } = await seller.myEvents({}, 'resumeCursor');
  const quiet = await connect(seller.token);
  quiet.close();
  await write();
  const behindPage = await listen(seller.token, { query: `?cursor=${resumeCursor}` });
  const behindFirst = await listen(seller.token, { lastId: quiet.lastId });
  for (const stream of [behindPage, behindFirst]) {
    await receive(stream, 2);
    expect(seqsOf(stream)).toEqual([2]);
  }
});

test('a stream ends with its session, and a stream of another session of the user stays open', async () => {
  const { accessToken } = await signInAgain({ stack, market }, seller);
  const [ended, lasting] = [await connect(seller.token), await connect(accessToken)];
  await seller.revokeMySession({ sessionId: seller.sessionId });
  await hasEnded(ended);
  await write();
  await receive(lasting, 2);
  expect(ended.received).toEqual([]);
  expect(await listen(seller.token, { lastId: ended.lastId })).toMatchObject({ status: 401 });
});

test('a former member of a dealer receives no events, and the stream of a suspended user ends', async () => {
  const agent = await market.user();
  const { id: dealerId, owner } = await market.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  const started = await buyer.startConversation({ dealerId, text: 'Open?' }, 'conversation { id }');
  conversationId = started.conversation.id;
  const [ofAgent, ofOwner] = [await connect(agent.token), await connect(owner.token)];
  await owner.removeDealerMember({ dealerId, userId: agent.id });
  await write();
  await receive(ofOwner, 2);
  expect(seqsOf(ofAgent)).toEqual([]);
  await (await market.staff('moderator')).suspendUser({ userId: agent.id, reason: 'Fraud' });
  await hasEnded(ofAgent);
  expect(ofOwner.hasEnded).toBe(false);
});

describe('the limit of five streams for each user', () => {
  /** Opens streams until one is refused. */
  const fill = async ({ token }: SeededUser) => {
    const streams: EventStream[] = [];
    for (let status = 200; status === 200; status = streams.at(-1)?.status ?? 0)
      streams.push(await listen(token));
    const refused = streams.pop();
    expect(refused?.status).toBe(429);
    await refused?.until('it is refused', ({ text }) => text.includes('rate_limited'));
    return streams;
  };

  test('includes the streams of all processes, and those of a killed process until their tokens expire', async () => {
    const owner = { installationId: market.installation.id, viewerId: seller.id, leftMs: 600_000 };
    const elsewhere = new OpenStreams(stack.platform);
    const [end] = [await elsewhere.add(owner), await elsewhere.add(owner), await elsewhere.add(owner)];
    expect(await fill(seller)).toHaveLength(2);
    end?.();
    await elsewhere.close();
    await expect(elsewhere.add(owner)).resolves.toBeInstanceOf(Function);
    expect(await fill(seller)).toHaveLength(0);
    const later = new OpenStreams({ ...stack.platform, now: () => stack.platform.now() + 600_001 });
    await expect(later.add(owner)).resolves.toBeInstanceOf(Function);
    await market.records(OpenStreamModel).deleteMany({});
  });

  test('admits a further stream after one has ended', async () => {
    const streams = await fill(seller);
    expect(streams).toHaveLength(5);
    streams[0]?.close();
    // The server notices the end of a connection a little later.
    for (let status = 429; status === 429; ) status = (await listen(seller.token)).status;
  });
});

test('events for a client that reads slowly are buffered and delivered in order', async () => {
  const stream = await connect(seller.token);
  stream.pause();
  const filling = 'x'.repeat(8000);
  const indexes = Array.from({ length: 500 }, (_, index) => index);
  await storeEvents(indexes.map((index) => eventFor(seller, 'conversation.updated', { index, filling })));
  stack.platform.signals.send('events');
  stream.resume();
  await stream.until('everything', ({ received }) => received.length === indexes.length);
  expect(stream.received.map(({ data }) => data.data.index)).toEqual(indexes);
});
