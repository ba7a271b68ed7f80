import { concurrently } from '../../../../test/support/concurrently.ts';
import type { Wire } from '../../../../test/support/operations.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { isRefused, type Refusal } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import type { UpdateDealerMemberInput } from '../../identity.generated.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';

const { market } = product();
let owner: SeededUser;

const partner = perTest(() => market.user());
const manager = perTest(() => market.user());
const agent = perTest(() => market.user());
const dealer = perTest(() =>
  market.dealer({
    members: [
      { userId: partner.id, role: 'owner' },
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  }),
);
beforeEach(async () => {
  ({ owner } = dealer);
});

const update = (
  user: SeededUser,
  members: Partial<Wire<UpdateDealerMemberInput>>,
  { by = owner, of = dealer } = {},
) => by.updateDealerMember({ dealerId: of.id, userId: user.id, ...members });
const remove = (user: SeededUser, by = owner) =>
  by.removeDealerMember({ dealerId: dealer.id, userId: user.id });
const dealers = () => market.records(DealerModel);
const stored = async () => (await dealers().findOne({ _id: dealer.id })) as DealerRecord;
const ownersLeft = async () => (await stored()).members.filter(({ role }) => role === 'owner');
const setState = (state: DealerRecord['state']) =>
  dealers().findOneAndUpdate({ _id: dealer.id }, { $set: { state } });
const listingsOf = async (reader: SeededUser) => (await reader.listings()).nodes.map(({ id }) => id);
const audits = () => market.audits({ 'target.id': dealer.id, result: 'allowed' });

test('members and the staff read the members of a dealer with their public names', async () => {
  for (const reader of [owner, agent, await market.staff('support')]) {
    const selection = 'nodes { userId displayName role locationIds joinedAt version } invitations { id }';
    const { nodes, invitations } = await reader.dealerMembers({ dealerId: dealer.id }, selection);
    expect(nodes).toHaveLength(4);
    expect(nodes).toContainEqual({
      userId: agent.id,
      displayName: expect.stringMatching(/^user-/),
      role: 'AGENT',
      locationIds: [],
      joinedAt: expect.any(String),
      version: 1,
    });
    expect(invitations).toBeNull();
  }
});

test("an update of a member takes effect with the member's next request and is audited", async () => {
  const [north, south = ''] = dealer.locationIds;
  const { id } = await dealer.listing({ dealerLocationId: north });
  expect(await listingsOf(agent)).toEqual([id]);
  const { member } = await update(agent, { locationIds: [south] });
  const restricted = { userId: agent.id, role: 'AGENT', locationIds: [south], version: 2 };
  expect(member).toMatchObject(restricted);
  expect(await listingsOf(agent)).toEqual([]);
  const promoted = { role: 'MANAGER', locationIds: [] };
  expect(await update(agent, { role: 'MANAGER' })).toMatchObject({ member: promoted });
  expect(await listingsOf(agent)).toEqual([id]);
  expect((await audits()).map(({ action, reason }) => [action, reason])).toEqual([
    ['updateDealerMember', `${agent.id}: agent -> agent at ${south}`],
    ['updateDealerMember', `${agent.id}: agent at ${south} -> manager`],
  ]);
});

test('an update of a member without a change writes nothing', async () => {
  const unchanged = { role: 'AGENT', version: 1 };
  const answer = await update(agent, { role: 'AGENT', locationIds: null });
  expect(answer).toMatchObject({ member: unchanged });
  expect(await audits()).toEqual([]);
});

test('an owner can transfer a dealer by promoting a member and then changing the own role', async () => {
  const heir = await market.user();
  const of = await market.dealer({ members: [{ userId: heir.id, role: 'agent' }] });
  const by = of.owner;
  expect(await update(by, { role: 'AGENT' }, { by, of })).toBeRefused(409, 'last_owner');
  expect(await update(heir, { role: 'OWNER' }, { by, of })).not.toBeRefused();
  const { member } = await update(by, { role: 'AGENT' }, { by, of });
  expect(member).toMatchObject({ userId: by.id, role: 'AGENT' });
  expect(await update(heir, { role: 'AGENT' }, { by, of })).toBeRefused(403, 'dealer_role_required');
});

test.each<[string, Partial<Wire<UpdateDealerMemberInput>>, string]>([
  ['without a role', { role: null }, '#/role'],
  ['to an unknown location', { locationIds: ['loc_1'] }, '#/locationIds/0'],
  ['to locations of a manager', { role: 'MANAGER', locationIds: ['loc_1'] }, '#/locationIds'],
])('an update of a member %s is refused', async (_, members, pointer) => {
  expect(await update(agent, members)).toBeInvalid(pointer);
  expect(await stored()).toMatchObject({ version: 1 });
});

test.each(['suspended', 'closing', 'closed'] as const)(
  'the members of a %s dealer cannot be updated',
  async (state) => {
    await setState(state);
    expect(await update(agent, { role: 'MANAGER' })).toBeRefused(403, 'dealer_not_active');
    if (state === 'suspended') expect(await remove(agent, agent)).not.toBeRefused();
  },
);

test('updating or removing a user who is not a member is refused', async () => {
  const stranger = await market.user();
  expect(await update(stranger, { role: 'AGENT' })).toBeRefused(404, 'not_found');
  expect(await update({ ...owner, id: 'usr_1' }, { role: 'AGENT' })).toBeRefused(404, 'not_found');
  expect(await remove(stranger, manager)).toBeRefused(404, 'not_found');
  expect(await remove(stranger, agent)).toBeRefused(403, 'dealer_role_required');
});

test('one owner remains after both owners are demoted concurrently', async () => {
  const results = await concurrently(20, (n) => {
    const [by, other] = n % 2 === 0 ? [owner, partner] : [partner, owner];
    return update(n % 4 < 2 ? other : by, { role: 'AGENT' }, { by });
  });
  expect(await ownersLeft()).toHaveLength(1);
  for (const refused of results.filter(isRefused))
    expect(['last_owner', 'dealer_role_required']).toContain((refused as unknown as Refusal).problem?.code);
  expect(await audits()).toMatchObject([{ action: 'updateDealerMember' }]);
});

test('one owner remains after both owners leave concurrently', async () => {
  const leavers = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? owner : partner));
  await Promise.all(leavers.map((leaver) => remove(leaver, leaver)));
  const [left, ...others] = await ownersLeft();
  expect(others).toEqual([]);
  const last = left?.userId === owner.id ? owner : partner;
  expect(await remove(last, last)).toBeRefused(409, 'last_owner');
});

test('removing a member ends the membership with the next request and is audited', async () => {
  await dealer.listing();
  expect(await listingsOf(agent)).toHaveLength(1);
  expect(await remove(agent, manager)).toEqual({ removedUserId: agent.id });
  expect(await listingsOf(agent)).toEqual([]);
  const actor = { type: 'user', id: manager.id };
  expect(await audits()).toMatchObject([
    { action: 'removeDealerMember', reason: `${agent.id}: agent`, actor },
  ]);
});

test.each([
  ['an owner can remove a manager', 'owner', 'manager', true],
  ['an owner can remove an agent', 'owner', 'agent', true],
  ['an owner cannot remove another owner', 'owner', 'partner', false],
  ['a manager can remove an agent', 'manager', 'agent', true],
  ['a manager cannot remove an owner', 'manager', 'owner', false],
  ['an agent cannot remove a manager', 'agent', 'manager', false],
  ['an owner can leave if there is another owner', 'owner', 'owner', true],
  ['a manager can leave', 'manager', 'manager', true],
  ['an agent can leave', 'agent', 'agent', true],
] as const)('%s', async (_, actor, target, isAllowed) => {
  const people = { owner, partner, manager, agent };
  const answer = await remove(people[target], people[actor]);
  if (isAllowed) expect(answer).toEqual({ removedUserId: people[target].id });
  else expect(answer).toBeRefused(403, 'dealer_role_required');
});

test('removing a member unassigns their listings, which can still be changed', async () => {
  const assigned = await dealer.listing({ contact: { assigneeUserId: agent.id } });
  const other = await dealer.listing({ contact: { assigneeUserId: owner.id } });
  await remove(agent);
  const assigneeOf = async (id: string) =>
    (await market.records(ListingModel).findOne({ _id: id }))?.contact.assigneeUserId;
  expect(await assigneeOf(assigned.id)).toBeNull();
  expect(await assigneeOf(other.id)).toBe(owner.id);
  const change = { listingId: assigned.id, title: 'A better title' };
  expect(await owner.updateListing(change)).not.toBeRefused();
});
