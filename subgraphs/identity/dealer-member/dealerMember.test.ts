import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord } from '../dealer/model.ts';
import { ListingModel } from '../listing/model.ts';

const world = product();
const { market } = world;
const list = `query ($dealerId: ID!, $first: Int, $after: String, $include: [DealerMembersInclude!]) {
  dealerMembers(dealerId: $dealerId, first: $first, after: $after, include: $include) {
    nodes { userId displayName role locationIds joinedAt version }
    pageInfo { hasNextPage endCursor } invitations { email } } }`;
const update = `mutation ($input: UpdateDealerMemberInput!) {
  updateDealerMember(input: $input) { member { userId role locationIds version } } }`;
const remove = `mutation ($input: RemoveDealerMemberInput!) {
  removeDealerMember(input: $input) { removedUserId } }`;
const listings = '{ listings { nodes { id } } }';

const run = (source: string, variables: object, { token }: SeededUser) =>
  world.stack.execute(source, { ...variables }, { as: token, installation: market.installation });
const change = (dealer: SeededDealer, user: SeededUser, members: object, as = dealer.owner) =>
  run(update, { input: { dealerId: dealer.id, userId: user.id, ...members } }, as);
const dismiss = (dealer: SeededDealer, user: SeededUser, as = dealer.owner) =>
  run(remove, { input: { dealerId: dealer.id, userId: user.id } }, as);
const dealers = () => scoped(DealerModel, market.installation.id);
const stored = async ({ id }: SeededDealer) => (await dealers().findOne({ _id: id })) as DealerRecord;
const roleIn = async (dealer: SeededDealer, { id }: SeededUser) =>
  (await stored(dealer)).members.find(({ userId }) => userId === id)?.role;
const auditsOf = ({ id }: SeededDealer) =>
  scoped(AuditEventModel, market.installation.id).find(
    { 'target.id': id, result: 'allowed' },
    { sort: { at: 1, _id: 1 } },
  );

/** A dealer with an owner, a second one, a manager and an agent. */
async function staffed() {
  const [partner, manager, agent] = [await market.user(), await market.user(), await market.user()];
  const dealer = await market.dealer({
    members: [
      { userId: partner.id, role: 'owner' },
      { userId: manager.id, role: 'manager' },
      { userId: agent.id, role: 'agent' },
    ],
  });
  return { dealer, owner: dealer.owner, partner, manager, agent };
}

describe('the list', () => {
  test('shows members by the name that others see, to each of them and to the staff', async () => {
    const { dealer, owner, agent } = await staffed();
    const support = await market.staff('support');
    for (const reader of [owner, agent, support]) {
      const { data } = await run(list, { dealerId: dealer.id }, reader);
      expect(data?.dealerMembers.nodes).toHaveLength(4);
      expect(data?.dealerMembers.nodes).toContainEqual({
        userId: agent.id,
        displayName: expect.stringMatching(/^user-/),
        role: 'AGENT',
        locationIds: [],
        joinedAt: expect.any(String),
        version: 1,
      });
      expect(data?.dealerMembers.invitations).toBeNull();
    }
    const [stranger, seller] = [await market.dealer(), await market.user()];
    expect(problemOf(await run(list, { dealerId: dealer.id }, stranger.owner)).code).toBe(
      'ownership_required',
    );
    expect(problemOf(await run(list, { dealerId: dealer.id }, seller)).code).toBe('ownership_required');
    expect(problemOf(await run(list, { dealerId: newId('dealer') }, support)).code).toBe('not_found');
  });

  test('goes on page by page, each member once', async () => {
    const { dealer, owner } = await staffed();
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { data } = await run(list, { dealerId: dealer.id, first: 3, after }, owner);
      seen.push(...data?.dealerMembers.nodes.map(({ userId }: { userId: string }) => userId));
      after = data?.dealerMembers.pageInfo.endCursor;
    } while (after !== null);
    expect(seen).toHaveLength(4);
    expect(new Set(seen)).toEqual(new Set((await stored(dealer)).members.map(({ userId }) => userId)));
    const foreign = await market.dealer({ owner });
    const { data } = await run(list, { dealerId: dealer.id, first: 1 }, owner);
    const cursor = data?.dealerMembers.pageInfo.endCursor;
    const other = await run(list, { dealerId: foreign.id, after: cursor }, owner);
    expect(problemOf(other).code).toBe('invalid_cursor');
  });

  test('costs the same for 1, 10 and 100 members', async () => {
    const costs: string[][] = [];
    for (const count of [1, 10, 100]) {
      const people = await Promise.all(Array.from({ length: count - 1 }, () => market.user()));
      const dealer = await market.dealer({
        members: people.map(({ id }) => ({ userId: id, role: 'agent' })),
      });
      await run(listings, {}, dealer.owner);
      const cost = () => commandsOf(() => run(list, { dealerId: dealer.id, first: 100 }, dealer.owner));
      // Word of a new member may reach this process in between, and who calls is read once more.
      costs.push(await cost().then(async (first) => (first.length > 2 ? cost() : first)));
    }
    expect(costs).toEqual(Array.from({ length: 3 }, () => ['find dealers', 'find users']));
  }, 30_000);
});

describe('a change', () => {
  test('acts on the member’s next request, raises the version and is remembered', async () => {
    const { dealer, agent } = await staffed();
    await run(listings, {}, agent);
    const [, south] = dealer.locationIds;
    const here = await dealer.listing({ dealerLocationId: dealer.locationIds[0] });
    const idsFor = async () =>
      (await run(listings, {}, agent)).data?.listings.nodes.map(({ id }: { id: string }) => id);
    expect(await idsFor()).toEqual([here.id]);
    const { data } = await change(dealer, agent, { locationIds: [south] });
    expect(data?.updateDealerMember.member).toEqual({
      userId: agent.id,
      role: 'AGENT',
      locationIds: [south],
      version: 2,
    });
    expect(await idsFor()).toEqual([]);
    const promoted = await change(dealer, agent, { role: 'MANAGER' });
    expect(promoted.data?.updateDealerMember.member).toMatchObject({ role: 'MANAGER', locationIds: [] });
    expect(await idsFor()).toEqual([here.id]);
    expect((await auditsOf(dealer)).map(({ action, reason }) => [action, reason])).toEqual([
      ['updateDealerMember', `${agent.id}: agent -> agent at ${south}`],
      ['updateDealerMember', `${agent.id}: agent at ${south} -> manager`],
    ]);
  });

  test('of nothing writes nothing', async () => {
    const { dealer, agent } = await staffed();
    const { data } = await change(dealer, agent, { role: 'AGENT', locationIds: null });
    expect(data?.updateDealerMember.member).toMatchObject({ role: 'AGENT', version: 1 });
    expect(await auditsOf(dealer)).toEqual([]);
  });

  test('hands a dealer over: promote, then step down', async () => {
    const dealer = await market.dealer();
    const heir = await market.user();
    await dealers().findOneAndUpdate(
      { _id: dealer.id },
      { $push: { members: { userId: heir.id, role: 'agent', locationIds: [], joinedAt: new Date() } } },
    );
    expect(problemOf(await change(dealer, dealer.owner, { role: 'AGENT' })).code).toBe('last_owner');
    expect((await change(dealer, heir, { role: 'OWNER' })).errors).toBeUndefined();
    expect((await change(dealer, dealer.owner, { role: 'AGENT' })).errors).toBeUndefined();
    expect(await roleIn(dealer, heir)).toBe('owner');
    expect(problemOf(await change(dealer, heir, { role: 'AGENT' })).code).toBe('dealer_role_required');
  });

  test('is for owners', async () => {
    const { dealer, manager, agent } = await staffed();
    for (const actor of [manager, agent])
      expect(problemOf(await change(dealer, agent, { role: 'MANAGER' }, actor)).code).toBe(
        'dealer_role_required',
      );
  });

  test.each([
    ['no role', { role: null }, ['#/role']],
    ['a location of nobody', { locationIds: ['loc_1'] }, ['#/locationIds/0']],
    ['locations for a manager', { role: 'MANAGER', locationIds: ['loc_1'] }, ['#/locationIds']],
  ])('to %s is refused with a pointer', async (_, members, pointers) => {
    const { dealer, agent } = await staffed();
    const { code, errors } = problemOf(await change(dealer, agent, members));
    expect(code).toBe('validation_failed');
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect((await stored(dealer)).version).toBe(1);
  });

  test('is meant for the version that was seen, if one is named', async () => {
    const { dealer, agent } = await staffed();
    const stale = await change(dealer, agent, { role: 'MANAGER', expectedVersion: 7 });
    expect(problemOf(stale).code).toBe('precondition_failed');
    const done = await change(dealer, agent, { role: 'MANAGER', expectedVersion: 1 });
    expect(done.data?.updateDealerMember.member.version).toBe(2);
  });

  test.each([['suspended'], ['closing'], ['closed']] as const)(
    'of a dealer that is %s is refused',
    async (state) => {
      const { dealer, agent } = await staffed();
      await dealers().findOneAndUpdate({ _id: dealer.id }, { $set: { state } });
      expect(problemOf(await change(dealer, agent, { role: 'MANAGER' })).code).toBe('dealer_not_active');
    },
  );

  test('of somebody who is no member finds nobody', async () => {
    const { dealer } = await staffed();
    for (const stranger of [await market.user(), { ...dealer.owner, id: 'usr_1' }])
      expect(problemOf(await change(dealer, stranger, { role: 'AGENT' })).code).toBe('not_found');
  });
});

describe('the last owner', () => {
  test('stays one, however many demote both owners at once', async () => {
    const { dealer, owner, partner } = await staffed();
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const [actor, other] = n % 2 === 0 ? [owner, partner] : [partner, owner];
        return n % 4 < 2
          ? change(dealer, other, { role: 'AGENT' }, actor)
          : change(dealer, actor, { role: 'AGENT' }, actor);
      }),
    );
    const owners = (await stored(dealer)).members.filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    const codes = new Set(results.map((result) => (result.errors ? problemOf(result).code : 'done')));
    expect([...codes].every((code) => ['done', 'last_owner', 'dealer_role_required'].includes(code))).toBe(
      true,
    );
    expect((await auditsOf(dealer)).filter(({ action }) => action === 'updateDealerMember')).toHaveLength(1);
  }, 60_000);

  test('cannot leave, however many owners leave at once', async () => {
    const { dealer, owner, partner } = await staffed();
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const leaver = n % 2 === 0 ? owner : partner;
        return dismiss(dealer, leaver, leaver);
      }),
    );
    const { members } = await stored(dealer);
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
    const [last] = [owner, partner].filter(({ id }) => members.some(({ userId }) => userId === id));
    expect(problemOf(await dismiss(dealer, last as SeededUser, last)).code).toBe('last_owner');
  }, 60_000);
});

describe('a removal', () => {
  test('ends the membership with the next request and is remembered', async () => {
    const { dealer, manager, agent } = await staffed();
    await dealer.listing();
    const seen = async () => (await run(listings, {}, agent)).data?.listings.nodes.length;
    expect(await seen()).toBe(1);
    expect((await dismiss(dealer, agent, manager)).data?.removeDealerMember.removedUserId).toBe(agent.id);
    expect(await seen()).toBe(0);
    expect(await auditsOf(dealer)).toEqual([
      expect.objectContaining({
        action: 'removeDealerMember',
        reason: `${agent.id}: agent`,
        actor: { type: 'user', id: manager.id },
      }),
    ]);
  });

  test.each([
    ['an owner sends a manager away', 'owner', 'manager', 'done'],
    ['an owner sends an agent away', 'owner', 'agent', 'done'],
    ['an owner does not send another one away', 'owner', 'partner', 'dealer_role_required'],
    ['a manager sends an agent away', 'manager', 'agent', 'done'],
    ['a manager does not send an owner away', 'manager', 'owner', 'dealer_role_required'],
    ['an agent sends nobody away', 'agent', 'manager', 'dealer_role_required'],
    ['an owner leaves beside another one', 'owner', 'owner', 'done'],
    ['a manager leaves', 'manager', 'manager', 'done'],
    ['an agent leaves', 'agent', 'agent', 'done'],
  ] as const)('%s', async (_, actor, target, expected) => {
    const people = await staffed();
    const result = await dismiss(people.dealer, people[target], people[actor]);
    expect(result.errors ? problemOf(result).code : 'done').toBe(expected);
  });

  test('of nobody: managers are told so, agents that it is none of their business', async () => {
    const { dealer, manager, agent } = await staffed();
    const stranger = await market.user();
    expect(problemOf(await dismiss(dealer, stranger, manager)).code).toBe('not_found');
    expect(problemOf(await dismiss(dealer, stranger, agent)).code).toBe('dealer_role_required');
  });

  test('takes the member off the listings that he looked after, so that they can be changed', async () => {
    const { dealer, agent } = await staffed();
    const assigned = await dealer.listing({ contact: { assigneeUserId: agent.id } });
    const other = await dealer.listing({ contact: { assigneeUserId: dealer.owner.id } });
    await dismiss(dealer, agent);
    const assigneeOf = async ({ id }: { id: string }) =>
      (await scoped(ListingModel, market.installation.id).findOne({ _id: id }))?.contact.assigneeUserId;
    expect(await assigneeOf(assigned)).toBeNull();
    expect(await assigneeOf(other)).toBe(dealer.owner.id);
    const source =
      'mutation ($input: UpdateListingInput!) { updateListing(input: $input) { listing { id } } }';
    const changed = await run(
      source,
      { input: { listingId: assigned.id, title: 'A better title' } },
      dealer.owner,
    );
    expect(changed.errors).toBeUndefined();
  });

  test('is possible while the dealer is suspended', async () => {
    const { dealer, agent } = await staffed();
    await dealers().findOneAndUpdate({ _id: dealer.id }, { $set: { state: 'suspended' } });
    expect((await dismiss(dealer, agent, agent)).errors).toBeUndefined();
  });

  test('is meant for the version that was seen, if one is named', async () => {
    const { dealer, agent, owner } = await staffed();
    const input = { dealerId: dealer.id, userId: agent.id, expectedVersion: 9 };
    expect(problemOf(await run(remove, { input }, owner)).code).toBe('precondition_failed');
    expect(await roleIn(dealer, agent)).toBe('agent');
  });
});
