import { collection } from '../../../test/authorization/collection.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { ConversationModel } from '../conversation/model.ts';

const world = product();
const { market } = world;
let seller: SeededUser;
let buyer: SeededUser;

beforeEach(async () => {
  [seller, buyer] = [
    await market.user({ displayName: 'Selma' }),
    await market.user({ displayName: 'Bruno' }),
  ];
});

const call = (method: string, route: string, { token }: SeededUser, body?: object) =>
  world.rest(method, route, { token, ...(body ? { body } : {}) });
const block = (as: SeededUser, whom: SeededUser) => call('PUT', `/api/v1/me/blocks/${whom.id}`, as);
const unblock = (as: SeededUser, whom: SeededUser) => call('DELETE', `/api/v1/me/blocks/${whom.id}`, as);
const start = async (listing?: string) => {
  const listingId = listing ?? (await seller.listing({ published: true })).id;
  return call('POST', '/api/v1/conversations', buyer, { listingId, text: 'Still there?' });
};
const send = (id: string, as: SeededUser) =>
  call('POST', `/api/v1/conversations/${id}/messages`, as, { text: 'Hello.' });
const stateFor = async (id: string, as: SeededUser) =>
  (await call('GET', `/api/v1/conversations/${id}`, as)).body.state;

test('a block is listed, given once, and taken back any number of times', async () => {
  expect(await block(seller, buyer)).toMatchObject({ status: 201, body: { userId: buyer.id } });
  expect((await block(seller, buyer)).status).toBe(200);
  expect((await call('GET', '/api/v1/me/blocks', seller)).body.data).toMatchObject([
    { userId: buyer.id, displayName: 'Bruno' },
  ]);
  expect((await call('GET', '/api/v1/me/blocks', buyer)).body.data).toEqual([]);
  for (let times = 0; times < 2; times += 1) expect((await unblock(seller, buyer)).status).toBe(204);
  expect((await call('GET', '/api/v1/me/blocks', seller)).body.data).toEqual([]);
});

test('nobody blocks himself, or somebody who never was', async () => {
  expect((await block(seller, seller)).status).toBe(422);
  expect((await call('PUT', `/api/v1/me/blocks/${newId('user')}`, seller)).status).toBe(404);
});

test('whoever is blocked is refused in one sentence, in old conversations and new ones, and sees no change', async () => {
  const { id } = (await start()).body;
  await block(seller, buyer);
  for (const answer of [await send(id, buyer), await start()])
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'recipient_unavailable', detail: 'This recipient cannot be written to.' },
    });
  expect(await stateFor(id, buyer)).toBe('open');
  expect(await stateFor(id, seller)).toBe('blocked');
  expect((await send(id, seller)).body.code).toBe('recipient_unavailable');
});

test('a conversation is open again when nobody of the two bars it any more', async () => {
  const { id } = (await start()).body;
  await block(seller, buyer);
  await block(buyer, seller);
  await unblock(seller, buyer);
  expect((await send(id, buyer)).status).toBe(403);
  await unblock(buyer, seller);
  expect((await send(id, buyer)).status).toBe(201);
});

test('what a member of a dealer bars is open again when he leaves', async () => {
  const member = await market.user();
  const dealer = await market.dealer({ members: [{ userId: member.id, role: 'manager' }] });
  const { id } = (await start((await dealer.listing({ published: true })).id)).body;
  await block(member, buyer);
  expect((await send(id, buyer)).body.code).toBe('recipient_unavailable');
  await call('DELETE', `/api/v1/dealers/${dealer.id}/members/${member.id}`, dealer.owner);
  expect((await send(id, buyer)).status).toBe(201);
});

test('a buyer who blocks somebody of a dealer bars that dealer, until he blocks nobody of it any more', async () => {
  const [agent, manager] = [await market.user(), await market.user()];
  const dealer = await market.dealer({
    members: [
      { userId: agent.id, role: 'agent' },
      { userId: manager.id, role: 'manager' },
    ],
  });
  const elsewhere = await market.dealer();
  const { id } = (await start((await dealer.listing({ published: true })).id)).body;
  const other = (await start((await elsewhere.listing({ published: true })).id)).body.id;
  await send(id, agent);
  await block(buyer, agent);
  await block(buyer, manager);
  for (const one of [agent, manager, dealer.owner])
    expect((await send(id, one)).body.code).toBe('recipient_unavailable');
  expect([await stateFor(id, dealer.owner), await stateFor(id, buyer)]).toEqual(['open', 'blocked']);
  expect((await send(other, elsewhere.owner)).status).toBe(201);
  await unblock(buyer, manager);
  expect((await send(id, dealer.owner)).body.code).toBe('recipient_unavailable');
  await unblock(buyer, agent);
  expect((await send(id, agent)).status).toBe(201);
});

test('a dealer is open to the buyer again when the member whom he blocks has left', async () => {
  const agent = await market.user();
  const dealer = await market.dealer({ members: [{ userId: agent.id, role: 'agent' }] });
  const { id } = (await start((await dealer.listing({ published: true })).id)).body;
  await block(buyer, agent);
  expect((await send(id, dealer.owner)).body.code).toBe('recipient_unavailable');
  await call('DELETE', `/api/v1/dealers/${dealer.id}/members/${agent.id}`, dealer.owner);
  expect((await send(id, dealer.owner)).status).toBe(201);
});

test('whoever joins a dealer does not write to a buyer who has blocked him before; his colleagues do', async () => {
  const agent = await market.user();
  await block(buyer, agent);
  const dealer = await market.dealer();
  const { id } = (await start((await dealer.listing({ published: true })).id)).body;
  const members = { userId: agent.id, role: 'agent', locationIds: [], joinedAt: new Date() };
  await collection('dealers').updateOne({ _id: dealer.id }, { $push: { members } } as never);
  world.stack.platform.forgetPrincipal({ userId: agent.id });
  expect((await send(id, agent)).body.code).toBe('recipient_unavailable');
  expect((await send(id, dealer.owner)).status).toBe(201);
});

test('of a block and a first message at once no open conversation is left', async () => {
  for (let round = 0; round < 8; round += 1) {
    const other = await market.user();
    const { id: listingId } = await seller.listing({ published: true });
    await Promise.all([
      call('POST', '/api/v1/conversations', other, { listingId, text: 'Me!' }),
      block(seller, other),
    ]);
    const [left] = await scoped(ConversationModel, market.installation.id).find({ buyerUserId: other.id });
    expect(left?.state ?? 'blocked').toBe('blocked');
  }
});
