import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perFile, perTest, product } from '../../../../test/support/product.ts';
import { type Refusal } from '../../../../test/support/Refusal.ts';
import type { Caller, SeededDealer } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import type { StartConversationInput } from '../../identity.generated.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { UserModel } from '../../people/user/model.ts';
import { ConversationModel } from './model.ts';

const { market, stack } = product();
const dayMs = 24 * 3600 * 1000;

const agent = perFile(() => market.user({ displayName: 'Agnes' }));
const garage = perFile(() => market.dealer({ members: [{ userId: agent.id, role: 'agent' }] }));
const buyer = perTest(() => market.user({ displayName: 'Bruno' }));

const start = (members: Partial<Wire<StartConversationInput>>, by: Caller = buyer) =>
  by.startConversation({ text: 'Is it still there?', ...members });
/** Asks about a published listing. Returns the id of the conversation. */
const ask = async (of: Pick<SeededDealer, 'listing'> = garage, by: Caller = buyer) => {
  const { id: listingId } = await of.listing({ published: true });
  return (await start({ listingId }, by)).conversation.id;
};
const send = (conversationId: string, by: Caller) => by.sendMessage({ conversationId, text: 'Hello.' });
const update = (conversationId: string, members: object, by: Caller = buyer) =>
  by.updateConversation({ conversationId, ...members });
const assign = (conversationId: string, by: Caller, member: { id: string } | null) =>
  by.assignConversation({ conversationId, assigneeUserId: member && member.id });
const inbox = async (filter: Parameters<Caller['conversations']>[0] = {}, by: Caller = buyer) =>
  (await by.conversations(filter)).nodes.map(({ id }) => id);
const stored = (id: string) => market.records(ConversationModel).findOne({ _id: id });

test('a buyer has one conversation about a listing, and a second question is added to it', async () => {
  const { id: listingId } = await garage.listing({ published: true, title: 'Octavia' });
  const path = '/api/v1/conversations';
  const first = await buyer.rest('POST', path, { body: { listingId, text: 'Is it still there?' } });
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
  const { id } = first.body;
  expect(first.headers.get('location')).toBe(`${path}/${id}`);
  const again = await buyer.rest('POST', path, { body: { listingId, text: 'And today?' } });
  const message = { seq: 2, text: 'And today?' };
  expect(again).toMatchObject({ status: 200, body: { id, lastSeq: 2, message } });
});

test('twenty concurrent starts create one conversation with twenty messages', async () => {
  const { id: listingId } = await garage.listing({ published: true });
  const answers = await concurrently(20, () => start({ listingId }));
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(answers.map(({ conversation }) => conversation.id)).size).toBe(1);
  const seqs = answers.map(({ message }) => message.seq).sort((a, b) => a - b);
  expect(seqs).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('a conversation with a dealer can be started without a listing', async () => {
  const { conversation } = await start({ dealerId: garage.id });
  expect(conversation).toMatchObject({ dealerId: garage.id, listingId: null, subject: null });
});

const ofGarage = () => ({ dealerId: garage.id });
test.each<[string, () => Partial<Wire<StartConversationInput>>]>([
  ['neither a listing nor a dealer', () => ({})],
  ['a listing and a dealer', () => ({ listingId: newId('listing'), ...ofGarage() })],
  ['no text', () => ({ ...ofGarage(), text: '  ' })],
  ['4,001 characters', () => ({ ...ofGarage(), text: 'x'.repeat(4001) })],
  ['an unknown file', () => ({ ...ofGarage(), attachments: [newId('media')] })],
  ['an id that is not a UUID', () => ({ ...ofGarage(), clientMessageId: '7' })],
])('a conversation with %s is refused and not stored', async (_, input) => {
  expect(await start(input())).toBeRefused(422, 'validation_failed');
  expect(await inbox()).toEqual([]);
});

test('a conversation about an unknown, unpublished or own listing, or with an unknown dealer, is refused', async () => {
  const [draft, own] = [await garage.listing(), await garage.listing({ published: true })];
  for (const listingId of [newId('listing'), draft.id])
    expect(await start({ listingId })).toBeRefused(404, 'not_found');
  expect(await start({ dealerId: newId('dealer') })).toBeRefused(404, 'not_found');
  expect(await start({ listingId: own.id }, agent)).toBeRefused(403, 'own_listing');
});

test('a user without a confirmed address cannot start a conversation', async () => {
  const newcomer = await market.user({ state: 'unverified', emailVerified: false });
  expect(await start(ofGarage(), newcomer)).toBeRefused(403, 'email_unverified');
});

test('a buyer sees the names of the members of a dealer, and none of their ids or addresses', async () => {
  const id = await ask();
  await send(id, agent);
  const shown = await buyer.conversation({ conversationId: id });
  const unread = { lastReadSeq: 0, archived: false, muted: false };
  expect(shown.participants).toEqual([
    { userId: buyer.id, side: 'BUYER', displayName: 'Bruno', ...unread },
    { userId: null, side: 'SELLER', displayName: 'Agnes', lastReadSeq: 0, archived: null, muted: null },
  ]);
  const { nodes } = await buyer.messages({ conversationId: id });
  expect(nodes[0]?.author).toEqual({ side: 'SELLER', displayName: 'Agnes', userId: null });
  for (const secret of [agent.id, '@']) expect(JSON.stringify([shown, nodes])).not.toContain(secret);
});

test('an inbox contains the conversations of both sides, in descending order of the last message', async () => {
  const own = await buyer.listing({ published: true });
  const asked = await ask();
  stack.advance(1000);
  const answered = (await start({ listingId: own.id }, await market.user())).conversation.id;
  stack.advance(1000);
  const last = await ask();
  expect(await inbox()).toEqual([last, answered, asked]);
  expect(await inbox({ side: 'SELLER' })).toEqual([answered]);
  expect(await inbox({ side: 'BUYER' })).toEqual([last, asked]);
  expect(await inbox({ listingId: own.id })).toEqual([answered]);
});

test('the inbox of a dealer can be read by its members only', async () => {
  const id = await ask();
  expect(await inbox(ofGarage(), agent)).toContain(id);
  expect(await buyer.conversations(ofGarage())).toBeRefused(403);
  expect(await buyer.conversations({ dealerId: newId('dealer') })).toBeRefused(404);
});

test('an archived conversation is hidden from its user only, until the other side writes', async () => {
  const id = await ask();
  const { conversation } = await update(id, { archived: true, muted: true });
  expect(conversation).toMatchObject({ archived: true, muted: true });
  expect([await inbox(), await inbox({ archived: true })]).toEqual([[], [id]]);
  expect(await inbox({}, agent)).toContain(id);
  await send(id, agent);
  const { nodes } = await buyer.conversations();
  expect(nodes).toMatchObject([{ id, archived: false, muted: true }]);
});

test('unread messages are counted in the list, in its total and in the profile', async () => {
  const counts = async () => {
    const { unreadTotal } = await buyer.conversations();
    return [unreadTotal, (await buyer.me({}, 'counts { unreadMessages }')).counts?.unreadMessages];
  };
  const [one, two] = [await ask(), await ask()];
  for (const id of [one, one, two]) await send(id, agent);
  expect(await counts()).toEqual([3, 3]);
  expect((await inbox({ unread: true })).sort()).toEqual([one, two].sort());
  await buyer.setReadMarker({ conversationId: two, seq: 2 });
  expect(await inbox({ unread: true })).toEqual([one]);
  expect(await counts()).toEqual([2, 2]);
});

test('only the seller can close a conversation, and a message of the seller opens it again', async () => {
  const id = await ask();
  expect(await update(id, { state: 'CLOSED' })).toBeRefused(403, 'ownership_required');
  expect((await update(id, { state: 'CLOSED' }, agent)).conversation.state).toBe('CLOSED');
  expect(await send(id, buyer)).toBeRefused(409, 'conversation_closed');
  for (const by of [agent, buyer]) expect(await send(id, by)).not.toBeRefused();
});

test('a conversation about a sold listing is closed after 14 days without a message', async () => {
  const [sold, open] = [await ask(), await ask()];
  const _id = (await stored(sold))?.listingId ?? '';
  const $set = { state: 'sold', updatedAt: new Date(stack.platform.now()) } as const;
  await market.records(ListingModel).findOneAndUpdate({ _id }, { $set });
  const statesAfter = async (days: number) => {
    stack.advance(days * dayMs);
    await stack.runJob('identity.conversation-closings');
    return [(await stored(sold))?.state, (await stored(open))?.state];
  };
  expect(await statesAfter(13)).toEqual(['open', 'open']);
  expect(await statesAfter(2)).toEqual(['closed', 'open']);
  stack.resetClock();
});

test('an agent can take an unassigned conversation, and managers can assign any conversation', async () => {
  const id = await ask();
  const { owner } = garage;
  expect(await assign(id, agent, owner)).toBeRefused(403, 'dealer_role_required');
  expect((await assign(id, agent, agent)).conversation.assigneeUserId).toBe(agent.id);
  expect((await assign(id, owner, owner)).conversation.assigneeUserId).toBe(owner.id);
  expect(await assign(id, agent, agent)).toBeRefused(409, 'already_assigned');
  expect(await assign(id, owner, buyer)).toBeInvalid('#/assigneeUserId');
  expect(await assign(id, buyer, null)).toBeRefused(403, 'ownership_required');
  expect((await buyer.conversation({ conversationId: id })).assigneeUserId).toBeNull();
  expect(await inbox({ assignee: 'me' }, owner)).toContain(id);
  expect(await send(id, agent)).toBeRefused(403, 'dealer_role_required');
  expect((await assign(id, owner, null)).conversation.assigneeUserId).toBeNull();
  expect(await send(id, agent)).not.toBeRefused();
});

test('one of twenty agents who take a conversation concurrently is assigned', async () => {
  const agents = await concurrently(20, () => market.user());
  const members = agents.map(({ id }) => ({ userId: id, role: 'agent' as const }));
  const id = await ask(await market.dealer({ members }));
  const answers = await Promise.all(agents.map((one) => assign(id, one, one)));
  expect(answers).toBeRefusedTimes(19, 409, 'already_assigned');
});

test('a former member of a dealer is unassigned and no longer reads its conversations', async () => {
  const former = await market.user();
  const dealer = await market.dealer({ members: [{ userId: former.id, role: 'manager' }] });
  const id = await ask(dealer);
  await assign(id, former, former);
  await dealer.owner.removeDealerMember({ dealerId: dealer.id, userId: former.id });
  expect((await stored(id))?.assigneeUserId).toBeNull();
  expect(await former.conversation({ conversationId: id })).toBeRefused(403);
});

test('a message to a suspended or deleted user is refused without the reason', async () => {
  const seller = await market.user();
  const id = await ask(seller);
  const details: unknown[] = [];
  for (const state of ['suspended', 'deletion_scheduled', 'deleted'] as const) {
    await market.records(UserModel).findOneAndUpdate({ _id: seller.id }, { $set: { state } });
    const refused: unknown = await send(id, buyer);
    details.push((refused as Refusal).problem?.detail);
  }
  expect(new Set(details)).toEqual(new Set(['This recipient does not accept messages from you.']));
});
