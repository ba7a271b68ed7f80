import { collection } from '../../../../test/authorization/world/collection.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import type { Caller, SeededDealer, SeededUser } from '../../../../test/support/seed.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { ConversationModel } from '../conversation/model.ts';

const { market, stack } = product();

const seller = perTest(() => market.user());
const buyer = perTest(() => market.user({ displayName: 'Bruno' }));
const agent = perTest(() => market.user());
const garage = perTest(() => market.dealer({ members: [{ userId: agent.id, role: 'agent' }] }));

const block = (by: Caller, { id: userId }: SeededUser) => by.blockUser({ userId });
const unblock = (by: Caller, { id: userId }: SeededUser) => by.unblockUser({ userId });
const blocksOf = async (by: Caller) => (await by.myBlocks()).nodes;
const start = (listingId: string, by: Caller = buyer) =>
  by.startConversation({ listingId, text: 'Still there?' });
/** Starts a conversation about a listing. Returns its id. */
const ask = async (of: Pick<SeededDealer, 'listing'> = garage) =>
  (await start((await of.listing({ published: true })).id)).conversation.id;
const send = (conversationId: string, by: Caller) => by.sendMessage({ conversationId, text: 'Hello.' });
const stateFor = async (conversationId: string, by: Caller) =>
  (await by.conversation({ conversationId })).state;
const leave = ({ id: userId }: SeededUser) =>
  garage.owner.removeDealerMember({ dealerId: garage.id, userId });
const unavailable = [
  403,
  'recipient_unavailable',
  { detail: 'This recipient does not accept messages from you.' },
] as const;

test('a block is created once and listed, and removing it can be repeated', async () => {
  const path = `/api/v1/me/blocks/${buyer.id}`;
  expect(await seller.rest('PUT', path)).toMatchObject({ status: 201, body: { userId: buyer.id } });
  expect((await seller.rest('PUT', path)).status).toBe(200);
  expect(await blocksOf(seller)).toMatchObject([{ userId: buyer.id, displayName: 'Bruno' }]);
  expect(await blocksOf(buyer)).toEqual([]);
  for (let times = 0; times < 2; times += 1) expect(await unblock(seller, buyer)).not.toBeRefused();
  expect(await blocksOf(seller)).toEqual([]);
});

test('blocking oneself or an unknown user is refused', async () => {
  expect(await block(seller, seller)).toBeRefused(422);
  expect(await seller.blockUser({ userId: newId('user') })).toBeRefused(404);
});

test('a blocked user is refused in existing and new conversations, and does not see the block', async () => {
  const id = await ask(seller);
  await block(seller, buyer);
  expect(await send(id, buyer)).toBeRefused(...unavailable);
  expect(await start((await seller.listing({ published: true })).id)).toBeRefused(...unavailable);
  expect([await stateFor(id, buyer), await stateFor(id, seller)]).toEqual(['OPEN', 'BLOCKED']);
  expect(await send(id, seller)).toBeRefused(...unavailable);
});

test('a conversation is open again after both sides removed their block', async () => {
  const id = await ask(seller);
  await block(seller, buyer);
  await block(buyer, seller);
  await unblock(seller, buyer);
  expect(await send(id, buyer)).toBeRefused(...unavailable);
  await unblock(buyer, seller);
  expect(await send(id, buyer)).not.toBeRefused();
});

test.each([
  ['by a member', () => [agent, buyer, buyer]],
  ['of a member', () => [buyer, agent, garage.owner]],
])('a block %s ends when the member leaves the dealer', async (_, people) => {
  const [by, blocked, author] = people() as [SeededUser, SeededUser, SeededUser];
  const id = await ask();
  await block(by, blocked);
  expect(await send(id, author)).toBeRefused(...unavailable);
  await leave(agent);
  expect(await send(id, author)).not.toBeRefused();
});

test('a buyer who blocks members of a dealer blocks the dealer until the last member is unblocked', async () => {
  const [id, elsewhere] = [await ask(), await market.dealer()];
  const other = await ask(elsewhere);
  await send(id, agent);
  for (const member of [agent, garage.owner]) await block(buyer, member);
  for (const member of [agent, garage.owner]) expect(await send(id, member)).toBeRefused(...unavailable);
  expect([await stateFor(id, garage.owner), await stateFor(id, buyer)]).toEqual(['OPEN', 'BLOCKED']);
  expect(await send(other, elsewhere.owner)).not.toBeRefused();
  await unblock(buyer, agent);
  expect(await send(id, agent)).toBeRefused(...unavailable);
  await unblock(buyer, garage.owner);
  expect(await send(id, agent)).not.toBeRefused();
});

test('a blocked user who joins a dealer cannot write to the buyer, and other members can', async () => {
  const newcomer = await market.user();
  await block(buyer, newcomer);
  const id = await ask();
  const members = { userId: newcomer.id, role: 'agent', locationIds: [], joinedAt: new Date() };
  await collection('dealers').updateOne({ _id: garage.id }, { $push: { members } } as never);
  stack.platform.forgetPrincipal({ userId: newcomer.id });
  expect(await send(id, newcomer)).toBeRefused(...unavailable);
  expect(await send(id, garage.owner)).not.toBeRefused();
});

test('a conversation that is started concurrently with a block is not open', async () => {
  for (let round = 0; round < 8; round += 1) {
    const other = await market.user();
    const { id } = await seller.listing({ published: true });
    await Promise.all([start(id, other), block(seller, other)]);
    const [left] = await market.records(ConversationModel).find({ buyerUserId: other.id });
    expect(left?.state ?? 'blocked').toBe('blocked');
  }
});
