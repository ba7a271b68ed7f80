import { collection } from '../../../test/authorization/collection.ts';
import { changesHeard } from '../../../test/support/changesHeard.ts';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { type SeededInstallation, type SeededUser, seed } from '../../../test/support/seed.ts';
import { buildIdentity } from '../server.ts';

const path = '/api/v1/me/events';
const dayMs = 24 * 3600 * 1000;
let rest: RestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  rest = await openRestStack([buildIdentity]);
  shop = await seed(rest.stack).in(rest.stack.demo);
});
afterAll(() => rest.close());

interface Told {
  id: string;
  cursor: string;
  type: string;
  resource: { type: string; id: string };
  at: string;
  data: Record<string, unknown>;
}

const call = (method: string, route: string, { token }: { token: string }, body?: object) =>
  rest.call(method, route, { token, ...(body ? { body } : {}) });
const feed = async (as: { token: string }, query = '') => {
  await rest.stack.runJob('identity.relay');
  return (await call('GET', `${path}${query}`, as)).body as {
    data: Told[];
    page: { nextCursor: string | null };
    meta: { resumeCursor: string };
  };
};
const told = async (as: { token: string }, from?: string) =>
  (await feed(as, `?limit=100${from ? `&cursor=${from}` : ''}`)).data;
const typesOf = (events: Told[]) => events.map(({ type }) => type);
const ask = async (buyer: SeededUser, body: object) => {
  const { body: thread } = await call('POST', '/api/v1/conversations', buyer, {
    text: 'Is it there?',
    ...body,
  });
  return { ...thread, path: `/api/v1/conversations/${thread.id}` };
};
/** With a token of this moment, after the clock was moved. */
const signInAgain = async ({ refreshToken }: Pick<SeededUser, 'refreshToken'>) => {
  const { body } = await rest.call('POST', '/api/v1/auth/token', {
    body: { grant_type: 'refresh_token', refresh_token: refreshToken },
  });
  return { token: body.access_token as string, refreshToken: body.refresh_token as string };
};
const send = (thread: { path: string }, as: SeededUser, text = 'Hello.') =>
  call('POST', `${thread.path}/messages`, as, { text });

test('both sides hear of each message in order, with what is unread behind it, and no word of it', async () => {
  const [buyer, seller] = [await shop.user({ displayName: 'Bruno' }), await shop.user()];
  const { id: listingId } = await seller.listing({ published: true });
  const { resumeCursor } = (await feed(seller)).meta;
  const thread = await ask(buyer, { listingId });
  for (const text of ['secret one', 'secret two']) await send(thread, buyer, text);
  await send(thread, seller, 'secret three');
  await call('PUT', `${thread.path}/read-marker`, seller, { seq: 3 });
  const ofSeller = await told(seller, resumeCursor);
  const seen = (events: Told[]) =>
    events.map(({ type, data: { seq, side, unreadCount } }) => [type, seq, side, unreadCount]);
  expect(seen(ofSeller)).toEqual([
    ['conversation.started', undefined, undefined, 1],
    ['message.created', 1, 'buyer', 1],
    ['message.created', 2, 'buyer', 2],
    ['message.created', 3, 'buyer', 3],
    ['message.created', 4, 'seller', 3],
    ['conversation.read', 3, 'seller', 0],
  ]);
  expect(seen(await told(buyer)).slice(-2)).toEqual([
    ['message.created', 4, 'seller', 1],
    ['conversation.read', 3, 'seller', 1],
  ]);
  const [, first] = ofSeller;
  expect(first).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    resource: { type: 'message', id: thread.message.id },
    data: { conversationId: thread.id, listingId, dealerId: null },
  });
  expect(JSON.stringify(ofSeller)).not.toMatch(/secret|@|Bruno/);
});

test('a page goes on where the one before ended, and behind the last one nothing is missed and nothing comes twice', async () => {
  const [buyer, seller] = [await shop.user(), await shop.user()];
  const { id: listingId } = await seller.listing({ published: true });
  const thread = await ask(buyer, { listingId });
  await send(thread, buyer);
  const first = await feed(buyer, '?limit=2');
  expect(typesOf(first.data)).toEqual(['conversation.started', 'message.created']);
  const second = await feed(buyer, `?limit=2&cursor=${first.page.nextCursor}`);
  expect(typesOf(second.data)).toEqual(['message.created']);
  expect(second.page.nextCursor).toBeNull();
  expect(await told(buyer, second.meta.resumeCursor)).toEqual([]);
  await send(thread, seller);
  for (const cursor of [second.meta.resumeCursor, second.data[0]?.cursor])
    expect((await told(buyer, cursor)).map(({ data }) => data.seq)).toEqual([3]);
});

test('everybody of a dealer hears of its conversations, of a listing whoever may read it, and who has left of nothing', async () => {
  const [agent, local, buyer] = [await shop.user(), await shop.user(), await shop.user()];
  const garage = await shop.dealer({
    members: [
      { userId: agent.id, role: 'agent' },
      { userId: local.id, role: 'agent' },
    ],
  });
  await collection('dealers').updateOne(
    { _id: garage.id, 'members.userId': local.id },
    { $set: { 'members.$.locationIds': ['loc_elsewhere'] } },
  );
  const { id: listingId } = await garage.listing({
    published: true,
    dealerLocationId: garage.locationIds[0],
  });
  const thread = await ask(buyer, { listingId });
  const concerned = async (as: SeededUser) => new Set((await told(as)).map(({ type }) => type.split('.')[0]));
  expect(await concerned(garage.owner)).toEqual(new Set(['listing', 'conversation', 'message']));
  expect(await concerned(agent)).toEqual(new Set(['listing', 'conversation', 'message']));
  expect(await concerned(local)).toEqual(new Set(['conversation', 'message']));
  expect(await concerned(await shop.user())).toEqual(new Set());
  await call('PUT', `${thread.path}/assignee`, garage.owner, { assigneeUserId: agent.id });
  await call('PATCH', thread.path, garage.owner, { state: 'closed', muted: true });
  const behind = async (as: SeededUser) => (await told(as)).slice(-3).map(({ type, data }) => [type, data]);
  expect(await behind(garage.owner)).toEqual([
    ['conversation.assigned', expect.objectContaining({ assigneeUserId: agent.id })],
    ['conversation.closed', expect.objectContaining({ state: 'closed' })],
    ['conversation.updated', expect.objectContaining({ archived: false, muted: true })],
  ]);
  expect(typesOf(await told(agent)).slice(-2)).toEqual(['conversation.assigned', 'conversation.closed']);
  // Who of a dealer answers, and what its people put away, is not the buyer's business.
  expect(typesOf(await told(buyer))).toEqual([
    'conversation.started',
    'message.created',
    'conversation.closed',
  ]);
  await call('DELETE', `/api/v1/dealers/${garage.id}/members/${agent.id}`, garage.owner);
  expect(await told(agent)).toEqual([]);
});

test('whom somebody has blocked does not hear of it; on his own side it is told', async () => {
  const [buyer, seller] = [await shop.user(), await shop.user()];
  const thread = await ask(buyer, { listingId: (await seller.listing({ published: true })).id });
  await call('PUT', `/api/v1/me/blocks/${buyer.id}`, seller);
  const states = (await told(seller)).filter(({ type }) => type === 'conversation.updated');
  expect(states.map(({ data }) => [data.conversationId, data.state])).toEqual([[thread.id, 'blocked']]);
  await call('DELETE', `/api/v1/me/blocks/${buyer.id}`, seller);
  const last = (await told(seller)).at(-1);
  expect(last).toMatchObject({ type: 'conversation.updated', data: { state: 'open' } });
  expect(typesOf(await told(buyer))).toEqual(['conversation.started', 'message.created']);
});

test('a message that is taken back is told, and read it is a stub', async () => {
  const [buyer, seller] = [await shop.user(), await shop.user()];
  const thread = await ask(buyer, { listingId: (await seller.listing({ published: true })).id });
  await send(thread, buyer);
  await call('DELETE', `${thread.path}/messages/${thread.message.id}`, buyer);
  const query = `{ myEvents(first: 100) { nodes {
    type resource { id } conversation { id unreadCount } message { text state } listing { id }
  } } }`;
  await rest.stack.runJob('identity.relay');
  const { data, errors } = await rest.stack.execute(query, {}, { as: seller });
  expect(errors).toBeUndefined();
  expect(data?.myEvents.nodes.at(-1)).toEqual({
    type: 'message.retracted',
    resource: { id: thread.message.id },
    conversation: { id: thread.id, unreadCount: 2 },
    message: { text: null, state: 'RETRACTED' },
    listing: null,
  });
});

test('a machine of a dealer hears of what its scopes let it read', async () => {
  const garage = await shop.dealer();
  const { id: listingId } = await garage.listing({ published: true });
  await ask(await shop.user(), { listingId });
  const hears = async (scopes: string[]) => {
    const { body } = await call('POST', `/api/v1/dealers/${garage.id}/api-clients`, garage.owner, {
      name: 'Machine',
      scopes,
    });
    const signedIn = await rest.call('POST', '/api/v1/auth/token', {
      body: { grant_type: 'client_credentials', client_id: body.id, client_secret: body.clientSecret },
    });
    const events = await told({ token: signedIn.body.access_token });
    return new Set(events.map(({ resource }) => resource.type));
  };
  expect(await hears(['messages:read'])).toEqual(new Set(['conversation', 'message']));
  expect(await hears(['messages:read', 'listings:read'])).toEqual(
    new Set(['listing', 'conversation', 'message']),
  );
});

test('a draft that is removed leaves nothing in the feed but that it is gone', async () => {
  const user = await shop.user();
  const { id } = await user.listing({ title: 'Never shown' });
  expect(typesOf(await told(user))).toEqual(['listing.created']);
  await call('DELETE', `/api/v1/listings/${id}`, user);
  expect(await told(user)).toMatchObject([
    { type: 'listing.deleted', resource: { type: 'listing', id }, data: {} },
  ]);
});

test('a feed is read by one index, with a command for the caller and one for each dealer of his', async () => {
  const garage = await shop.dealer();
  const thread = await ask(await shop.user(), { listingId: (await garage.listing({ published: true })).id });
  const read = () => call('GET', `${path}?limit=100`, garage.owner);
  // The first reading notes that the session was used, which is a change, too.
  await feed(garage.owner);
  await changesHeard();
  await feed(garage.owner);
  const before = await commandsOf(read);
  await Promise.all(Array.from({ length: 10 }, () => send(thread, garage.owner)));
  await changesHeard();
  await feed(garage.owner);
  expect(await commandsOf(read)).toEqual(before);
  const plans = (await indexesOf(read)).filter(({ command }) => command === 'find events');
  // The first one is the latest position of all.
  expect(plans).toHaveLength(3);
  for (const { indexes } of plans.slice(1)) {
    expect(indexes).toContain('installationId_1_feed.party_1_position_1');
    expect(indexes).not.toContain('position_1');
  }
});

test('a cursor of somebody else is refused, and one of more than seven days ago has expired', async () => {
  const [user, other] = [await shop.user(), await shop.user()];
  const { resumeCursor } = (await feed(user)).meta;
  const refused = await call('GET', `${path}?cursor=${resumeCursor}`, other);
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  rest.stack.advance(6 * dayMs);
  const again = await signInAgain(user);
  expect((await call('GET', `${path}?cursor=${resumeCursor}`, again)).status).toBe(200);
  rest.stack.advance(dayMs);
  const late = await signInAgain(again);
  const expired = await call('GET', `${path}?cursor=${resumeCursor}`, late);
  expect(expired).toMatchObject({ status: 410, body: { code: 'events_expired' } });
});
