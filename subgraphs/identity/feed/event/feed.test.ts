import { perTest, product } from '../../../../test/support/product.ts';
import type { Caller } from '../../../../test/support/seed.ts';
import { readEvents, readPage } from './fixture/readEvents.ts';
import { signInMachine } from './fixture/signInMachine.ts';

const world = product();
const { market } = world;

const buyer = perTest(() => market.user({ displayName: 'Bruno' }));
const seller = perTest(() => market.user());

const feed = (reader: Caller, page?: Parameters<typeof readPage>[2]) => readPage(world, reader, page);
const read = (reader: Caller, after?: string) => readEvents(world, reader, after);
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);
/** The buyer asks about a listing. Returns the conversation and its first message. */
const ask = async (listingId: string) => {
  const { conversation, message } = await buyer.startConversation({ listingId, text: 'Is it there?' });
  return { conversationId: conversation.id, messageId: message.id };
};
const askSeller = async () => ask((await seller.listing({ published: true })).id);

test('both sides receive an event of each message, in order, with the unread count and without the text', async () => {
  const { id: listingId } = await seller.listing({ published: true });
  const { resumeCursor } = await feed(seller);
  const { conversationId, messageId } = await ask(listingId);
  for (const text of ['secret one', 'secret two']) await buyer.sendMessage({ conversationId, text });
  await seller.sendMessage({ conversationId, text: 'secret three' });
  await seller.setReadMarker({ conversationId, seq: 3 });
  const ofSeller = await read(seller, resumeCursor);
  const seen = (events: typeof ofSeller) =>
    events.map(({ type, data: { seq, side, unreadCount } }) => [type, seq, side, unreadCount]);
  expect(seen(ofSeller)).toEqual([
    ['conversation.started', undefined, undefined, 1],
    ['message.created', 1, 'buyer', 1],
    ['message.created', 2, 'buyer', 2],
    ['message.created', 3, 'buyer', 3],
    ['message.created', 4, 'seller', 3],
    ['conversation.read', 3, 'seller', 0],
  ]);
  expect(seen(await read(buyer)).slice(-2)).toEqual([
    ['message.created', 4, 'seller', 1],
    ['conversation.read', 3, 'seller', 1],
  ]);
  expect(ofSeller[1]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    resource: { type: 'message', resourceId: messageId },
    data: { conversationId, listingId, dealerId: null },
  });
  expect(JSON.stringify(ofSeller)).not.toMatch(/secret|@|Bruno/);
});

test('pages and later reads continue after a cursor without gap or repetition', async () => {
  const { conversationId } = await askSeller();
  await buyer.sendMessage({ conversationId, text: 'Hello.' });
  const first = await feed(buyer, { first: 2 });
  expect(typesOf(first.nodes)).toEqual(['conversation.started', 'message.created']);
  const second = await feed(buyer, { first: 2, after: first.pageInfo.endCursor });
  expect(typesOf(second.nodes)).toEqual(['message.created']);
  expect((await feed(buyer, { after: second.pageInfo.endCursor })).nodes).toEqual([]);
  expect(await read(buyer, second.resumeCursor)).toEqual([]);
  await seller.sendMessage({ conversationId, text: 'Hello.' });
  for (const cursor of [second.resumeCursor, second.nodes[0]?.cursor])
    expect((await read(buyer, cursor)).map(({ data }) => data.seq)).toEqual([3]);
});

describe('events of a dealer', () => {
  let conversationId: string;
  const agent = perTest(() => market.user());
  const local = perTest(() => market.user());
  const garage = perTest(() =>
    market.dealer({
      members: [
        { userId: agent.id, role: 'agent' },
        { userId: local.id, role: 'agent', locationIds: ['loc_elsewhere'] },
      ],
    }),
  );
  beforeEach(async () => {
    const listing = await garage.listing({ published: true, dealerLocationId: garage.locationIds[0] });
    ({ conversationId } = await ask(listing.id));
  });

  test('reach every member for conversations, and for a listing if the member can read it', async () => {
    const subjects = async (reader: Caller) =>
      new Set((await read(reader)).map(({ type }) => type.split('.')[0]));
    const all = new Set(['listing', 'conversation', 'message']);
    expect(await subjects(garage.owner)).toEqual(all);
    expect(await subjects(agent)).toEqual(all);
    expect(await subjects(local)).toEqual(new Set(['conversation', 'message']));
    expect(await subjects(await market.user())).toEqual(new Set());
    await garage.owner.removeDealerMember({ dealerId: garage.id, userId: agent.id });
    expect(await read(agent)).toEqual([]);
  });

  test('do not show the assignee to the buyer, or what a member mutes to other users', async () => {
    await garage.owner.assignConversation({ conversationId, assigneeUserId: agent.id });
    await garage.owner.updateConversation({ conversationId, state: 'CLOSED', muted: true });
    const ofOwner = (await read(garage.owner)).slice(-3);
    expect(ofOwner).toMatchObject([
      { type: 'conversation.assigned', data: { assigneeUserId: agent.id } },
      { type: 'conversation.closed', data: { state: 'closed' } },
      { type: 'conversation.updated', data: { archived: false, muted: true } },
    ]);
    expect(typesOf(await read(agent)).slice(-2)).toEqual(['conversation.assigned', 'conversation.closed']);
    const ofBuyer = ['conversation.started', 'message.created', 'conversation.closed'];
    expect(typesOf(await read(buyer))).toEqual(ofBuyer);
  });

  test('reach an API client for the resources that its scopes include', async () => {
    const typesFor = async (scopes: string[]) => {
      const machine = await signInMachine(market, garage, scopes);
      return new Set((await read(machine)).map(({ resource }) => resource.type));
    };
    expect(await typesFor(['messages:read'])).toEqual(new Set(['conversation', 'message']));
    const all = new Set(['listing', 'conversation', 'message']);
    expect(await typesFor(['messages:read', 'listings:read'])).toEqual(all);
  });
});

test('a block is published to the side that blocks, and not to the blocked side', async () => {
  const { conversationId } = await askSeller();
  await seller.blockUser({ userId: buyer.id });
  const states = (await read(seller)).filter(({ type }) => type === 'conversation.updated');
  expect(states).toMatchObject([{ data: { conversationId, state: 'blocked' } }]);
  await seller.unblockUser({ userId: buyer.id });
  const last = (await read(seller)).at(-1);
  expect(last).toMatchObject({ type: 'conversation.updated', data: { state: 'open' } });
  expect(typesOf(await read(buyer))).toEqual(['conversation.started', 'message.created']);
});

test('an event of a retracted or removed message has the message without its text', async () => {
  const { conversationId, messageId } = await askSeller();
  const say = async () => (await buyer.sendMessage({ conversationId, text: 'Hello.' })).message.id;
  const [second, last] = [await say(), await say()];
  const moderator = await market.staff('moderator');
  const select = `nodes { type resource { resourceId } conversation { id unreadCount } message { text state } listing { id } }`;
  for (const [id, by, state] of [
    [messageId, buyer, 'RETRACTED'],
    [second, moderator, 'REMOVED'],
    [last, buyer, 'RETRACTED'],
  ] as const) {
    await by.retractMessage({ conversationId, messageId: id });
    await world.stack.runJob('identity.relay');
    const { nodes } = await seller.myEvents({ first: 100 }, select);
    expect(nodes.at(-1)).toEqual({
      type: `message.${state.toLowerCase()}`,
      resource: { resourceId: id },
      conversation: { id: conversationId, unreadCount: 3 },
      message: { text: null, state },
      listing: null,
    });
  }
});

test('a deleted draft leaves only the event of its deletion', async () => {
  const { id } = await seller.listing({ title: 'Never shown' });
  expect(typesOf(await read(seller))).toEqual(['listing.created']);
  await seller.archiveListing({ listingId: id });
  expect(await read(seller)).toMatchObject([
    { type: 'listing.deleted', resource: { type: 'listing', resourceId: id }, data: {} },
  ]);
});

// The last test, because it moves the clock.
test('a cursor of another user is refused, and a cursor expires after seven days', async () => {
  const dayMs = 24 * 3600 * 1000;
  const refresh = async (refreshToken: string) => {
    const input = { grantType: 'refresh_token', refreshToken };
    const { tokens } = await market.visitor.issueToken(input, 'tokens { accessToken refreshToken }');
    return { reader: market.caller(tokens.accessToken), refreshToken: tokens.refreshToken ?? '' };
  };
  const { resumeCursor } = await feed(seller);
  expect(await feed(buyer, { after: resumeCursor })).toBeRefused(400, 'invalid_cursor');
  world.stack.advance(6 * dayMs);
  const { reader, refreshToken } = await refresh(seller.refreshToken);
  expect(await feed(reader, { after: resumeCursor })).not.toBeRefused();
  world.stack.advance(dayMs);
  const late = await refresh(refreshToken);
  expect(await feed(late.reader, { after: resumeCursor })).toBeRefused(410, 'events_expired');
});
