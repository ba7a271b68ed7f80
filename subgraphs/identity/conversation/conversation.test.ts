import { collection } from '../../../test/authorization/collection.ts';
import { indexesOf } from '../../../test/support/indexesOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ListingModel } from '../listing/model.ts';
import { UserModel } from '../user/model.ts';
import { ConversationModel } from './model.ts';

const world = product();
const { market } = world;
const path = '/api/v1/conversations';
let garage: SeededDealer;
let agent: SeededUser;
let buyer: SeededUser;

beforeAll(async () => {
  agent = await market.user({ displayName: 'Agnes' });
  garage = await market.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
});
beforeEach(async () => {
  buyer = await market.user({ displayName: 'Bruno' });
});

const call = (method: string, route: string, { token }: SeededUser, body?: object) =>
  world.rest(method, route, { token, ...(body ? { body } : {}) });
const start = (as: SeededUser, body: object) =>
  call('POST', path, as, { text: 'Is it still there?', ...body });
const ask = async (as: SeededUser, of: { listing: SeededDealer['listing'] } = garage) => {
  const { id: listingId } = await of.listing({ published: true });
  const { body, status } = await start(as, { listingId });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { ...body, path: `${path}/${body.id}` };
};
const send = (thread: { path: string }, as: SeededUser, text = 'Hello.') =>
  call('POST', `${thread.path}/messages`, as, { text });
const inbox = async (as: SeededUser, query = '') => (await call('GET', `${path}${query}`, as)).body;
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
const stored = (id: string) => scoped(ConversationModel, market.installation.id).findOne({ _id: id });

describe('beginning', () => {
  test('a buyer asks about a listing once: a second question goes into the same conversation', async () => {
    const { id: listingId } = await garage.listing({ published: true, title: 'Octavia' });
    const first = await start(buyer, { listingId });
    expect(first).toMatchObject({
      status: 201,
      body: {
        listingId,
        subject: { title: 'Octavia', price: { currency: 'EUR' } },
        dealerId: garage.id,
        buyerUserId: buyer.id,
        sellerUserId: null,
        side: 'buyer',
        state: 'open',
        lastSeq: 1,
        unreadCount: 0,
        message: { seq: 1, text: 'Is it still there?', author: { side: 'buyer', displayName: 'Bruno' } },
      },
    });
    expect(first.headers.get('location')).toBe(`${path}/${first.body.id}`);
    const again = await start(buyer, { listingId, text: 'And today?' });
    expect(again).toMatchObject({
      status: 200,
      body: { id: first.body.id, lastSeq: 2, message: { seq: 2, text: 'And today?' } },
    });
  });

  test('20 starts at once make one conversation with 20 messages', async () => {
    const { id: listingId } = await garage.listing({ published: true });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => start(buyer, { listingId, text: `Question ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { data } = (await call('GET', `${path}/${answers[0]?.body.id}/messages?limit=50`, buyer)).body;
    expect(data.map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    );
  });

  test('a dealer can be asked without a listing', async () => {
    expect(await start(buyer, { dealerId: garage.id })).toMatchObject({
      status: 201,
      body: { dealerId: garage.id, listingId: null, subject: null },
    });
  });

  test.each([
    ['neither listing nor dealer', () => ({}), 422, 'validation_failed'],
    ['both', () => ({ listingId: newId('listing'), dealerId: garage.id }), 422, 'validation_failed'],
    ['a listing that never was', () => ({ listingId: newId('listing') }), 404, 'not_found'],
    ['a dealer that never was', () => ({ dealerId: newId('dealer') }), 404, 'not_found'],
    ['no text', () => ({ dealerId: garage.id, text: '  ' }), 422, 'validation_failed'],
    ['4,001 characters', () => ({ dealerId: garage.id, text: 'x'.repeat(4001) }), 422, 'validation_failed'],
    [
      'a strange file',
      () => ({ dealerId: garage.id, attachments: [newId('media')] }),
      422,
      'validation_failed',
    ],
    ['no UUID', () => ({ dealerId: garage.id, clientMessageId: '7' }), 422, 'validation_failed'],
  ])('with %s is refused, and nothing is kept', async (_, input, status, code) => {
    expect(await start(buyer, input())).toMatchObject({ status, body: { code } });
    expect(idsOf(await inbox(buyer))).toEqual([]);
  });

  test('a draft does not exist, and one’s own listing cannot be asked about', async () => {
    const [draft, own] = [await garage.listing(), await garage.listing({ published: true })];
    expect((await start(buyer, { listingId: draft.id })).body.code).toBe('not_found');
    expect(await start(agent, { listingId: own.id })).toMatchObject({
      status: 403,
      body: { code: 'own_listing' },
    });
  });

  test('whoever has not confirmed his address writes to nobody', async () => {
    const newcomer = await market.user({ state: 'unverified', emailVerified: false });
    const { id: listingId } = await garage.listing({ published: true });
    expect(await start(newcomer, { listingId })).toMatchObject({
      status: 403,
      body: { code: 'email_unverified' },
    });
  });
});

describe('who takes part', () => {
  test('buyers meet the dealership and the names of its staff, but no ids of them', async () => {
    const thread = await ask(buyer);
    await send(thread, agent);
    const shown = (await call('GET', thread.path, buyer)).body;
    expect(shown.participants).toEqual([
      {
        userId: buyer.id,
        side: 'buyer',
        displayName: 'Bruno',
        lastReadSeq: 0,
        archived: false,
        muted: false,
      },
      { userId: null, side: 'seller', displayName: 'Agnes', lastReadSeq: 0, archived: null, muted: null },
    ]);
    const { data } = (await call('GET', `${thread.path}/messages`, buyer)).body;
    expect(data[0].author).toEqual({ side: 'seller', displayName: 'Agnes', userId: null });
    expect(JSON.stringify([shown, data])).not.toContain(agent.id);
    expect(JSON.stringify([shown, data])).not.toContain('@');
  });
});

describe('the inbox', () => {
  test('shows both sides of the caller, the latest message first, page by page', async () => {
    const own = await buyer.listing({ published: true });
    const asked = await ask(buyer);
    world.stack.advance(1000);
    const other = await market.user();
    const answered = (await start(other, { listingId: own.id })).body;
    world.stack.advance(1000);
    const last = await ask(buyer);
    expect(idsOf(await inbox(buyer))).toEqual([last.id, answered.id, asked.id]);
    expect(idsOf(await inbox(buyer, '?side=seller'))).toEqual([answered.id]);
    expect(idsOf(await inbox(buyer, '?side=buyer'))).toEqual([last.id, asked.id]);
    expect(idsOf(await inbox(buyer, `?listingId=${own.id}`))).toEqual([answered.id]);
    const first = await inbox(buyer, '?limit=2');
    const second = await inbox(buyer, `?limit=2&cursor=${first.page.nextCursor}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([last.id, answered.id, asked.id]);
    expect(second.page.nextCursor).toBeNull();
  });

  test('of a dealer is its members’, and a foreign one is refused', async () => {
    const thread = await ask(buyer);
    expect(idsOf(await inbox(agent, `?dealerId=${garage.id}`))).toContain(thread.id);
    expect(await call('GET', `${path}?dealerId=${garage.id}`, buyer)).toMatchObject({ status: 403 });
    expect(await call('GET', `${path}?dealerId=${newId('dealer')}`, buyer)).toMatchObject({ status: 404 });
  });

  test('hides what somebody has put away from him alone, until the other side writes', async () => {
    const thread = await ask(buyer);
    expect(await call('PATCH', thread.path, buyer, { archived: true, muted: true })).toMatchObject({
      status: 200,
      body: { archived: true, muted: true },
    });
    expect(idsOf(await inbox(buyer))).toEqual([]);
    expect(idsOf(await inbox(buyer, '?archived=true'))).toEqual([thread.id]);
    expect(idsOf(await inbox(agent, `?listingId=${thread.listingId}`))).toEqual([thread.id]);
    await send(thread, agent);
    expect((await inbox(buyer)).data).toMatchObject([{ id: thread.id, archived: false, muted: true }]);
  });

  test('tells what is unread, in the list, in the total and in the badge of the caller', async () => {
    const [one, two] = [await ask(buyer), await ask(buyer)];
    for (const thread of [one, one, two]) await send(thread, agent);
    const page = await inbox(buyer);
    expect(page.meta).toEqual({ unreadTotal: 3 });
    expect(new Set(idsOf(await inbox(buyer, '?unread=true')))).toEqual(new Set([one.id, two.id]));
    expect((await call('GET', '/api/v1/me', buyer)).body.counts).toMatchObject({ unreadMessages: 3 });
    await call('PUT', `${two.path}/read-marker`, buyer, { seq: 2 });
    expect(idsOf(await inbox(buyer, '?unread=true'))).toEqual([one.id]);
    expect((await call('GET', '/api/v1/me', buyer)).body.counts).toMatchObject({ unreadMessages: 2 });
  });
});

describe('closing', () => {
  test('is the seller’s: the buyer is refused, cannot write then, and the seller’s answer opens it', async () => {
    const thread = await ask(buyer);
    expect(await call('PATCH', thread.path, buyer, { state: 'closed' })).toMatchObject({
      status: 403,
      body: { code: 'ownership_required' },
    });
    expect((await call('PATCH', thread.path, agent, { state: 'closed' })).body.state).toBe('closed');
    expect(await send(thread, buyer)).toMatchObject({ status: 409, body: { code: 'conversation_closed' } });
    expect((await send(thread, agent)).status).toBe(201);
    expect((await send(thread, buyer)).status).toBe(201);
  });

  test('follows 14 silent days after the sale, and never before', async () => {
    const day = 24 * 3600 * 1000;
    const [sold, open] = [await ask(buyer), await ask(buyer)];
    await scoped(ListingModel, market.installation.id).findOneAndUpdate(
      { _id: sold.listingId },
      { $set: { state: 'sold', updatedAt: new Date(world.stack.platform.now()) } },
    );
    world.stack.advance(13 * day);
    await world.stack.runJob('identity.conversation-closings');
    expect((await stored(sold.id))?.state).toBe('open');
    world.stack.advance(2 * day);
    await world.stack.runJob('identity.conversation-closings');
    expect((await stored(sold.id))?.state).toBe('closed');
    expect((await stored(open.id))?.state).toBe('open');
    world.stack.advance(-15 * day);
  });
});

describe('answering for a dealer', () => {
  const assign = (thread: { path: string }, as: SeededUser, assigneeUserId: string | null) =>
    call('PUT', `${thread.path}/assignee`, as, { assigneeUserId });

  test('an agent takes what nobody has, and only for himself; managers decide', async () => {
    const thread = await ask(buyer);
    const { owner } = garage;
    expect((await assign(thread, agent, owner.id)).body.code).toBe('dealer_role_required');
    expect(await assign(thread, agent, agent.id)).toMatchObject({
      status: 200,
      body: { assigneeUserId: agent.id },
    });
    expect((await assign(thread, owner, owner.id)).body.assigneeUserId).toBe(owner.id);
    expect(await assign(thread, agent, agent.id)).toMatchObject({
      status: 409,
      body: { code: 'already_assigned' },
    });
    expect((await assign(thread, owner, buyer.id)).body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/assigneeUserId' }],
    });
    expect((await assign(thread, buyer, null)).body.code).toBe('ownership_required');
    expect((await call('GET', thread.path, buyer)).body.assigneeUserId).toBeNull();
    expect(idsOf(await inbox(owner, '?assignee=me'))).toContain(thread.id);
    expect((await send(thread, agent)).body.code).toBe('dealer_role_required');
    expect((await assign(thread, owner, null)).body.assigneeUserId).toBeNull();
    expect((await send(thread, agent)).status).toBe(201);
  });

  test('of 20 agents who take one at once, one has it', async () => {
    const agents = await Promise.all(Array.from({ length: 20 }, () => market.user()));
    const dealer = await market.dealer({
      members: agents.map(({ id }) => ({ userId: id, role: 'agent' as const })),
    });
    const thread = await ask(buyer, dealer);
    const answers = await Promise.all(agents.map((one) => assign(thread, one, one.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'already_assigned')).toHaveLength(19);
  });

  test('whoever leaves the dealer answers nothing of it any more', async () => {
    const gone = await market.user();
    const dealer = await market.dealer({ members: [{ userId: gone.id, role: 'manager' }] });
    const thread = await ask(buyer, dealer);
    await assign(thread, gone, gone.id);
    await call('DELETE', `/api/v1/dealers/${dealer.id}/members/${gone.id}`, dealer.owner);
    expect((await stored(thread.id))?.assigneeUserId).toBeNull();
    expect((await call('GET', thread.path, gone)).status).toBe(403);
  });
});

test('somebody who is suspended or gone cannot be written to, and nobody is told which', async () => {
  const seller = await market.user();
  const thread = await ask(buyer, seller);
  const users = scoped(UserModel, market.installation.id);
  const codes: string[] = [];
  for (const state of ['suspended', 'deletion_scheduled', 'deleted'] as const) {
    await users.findOneAndUpdate({ _id: seller.id }, { $set: { state } });
    codes.push((await send(thread, buyer)).body.detail);
  }
  expect(new Set(codes)).toEqual(new Set(['This recipient cannot be written to.']));
});

test('an inbox is read from the index that holds it in its order, however large it is', async () => {
  const thread = await ask(buyer);
  const conversations = collection('conversations');
  const model = await conversations.findOne({ _id: thread.id });
  await conversations.insertMany(
    Array.from({ length: 2000 }, (_, index) => ({
      ...model,
      _id: newId('conversation'),
      topicId: newId('listing'),
      lastMessageAt: new Date(Date.now() - index * 1000),
    })),
  );
  const ways = [
    ['', 'installationId_1_sellerId_1_lastMessageAt_-1__id_-1'],
    ['&assignee=none', 'installationId_1_sellerId_1_assigneeUserId_1_lastMessageAt_-1__id_-1'],
    ['&unread=true', 'installationId_1_unreadFor_1_lastMessageAt_-1__id_-1'],
  ];
  for (const [query, index] of ways) {
    const plans = await indexesOf(() => inbox(garage.owner, `?dealerId=${garage.id}&limit=50${query}`));
    const page = plans.find(({ command }) => command === 'find conversations');
    expect([query, page?.indexes]).toEqual([query, expect.arrayContaining([index])]);
    expect([query, page?.sorts]).toEqual([query, false]);
  }
  const ofListing = await indexesOf(() => inbox(garage.owner, `?listingId=${thread.listingId}`));
  expect(ofListing.find(({ command }) => command === 'find conversations')?.indexes).toContain(
    'installationId_1_topicId_1_buyerUserId_1',
  );
  // An engine that sorts says so.
  const [sorted] = await indexesOf(() => conversations.find({}).sort({ subject: 1 }).toArray());
  expect(sorted?.sorts).toBe(true);
});
