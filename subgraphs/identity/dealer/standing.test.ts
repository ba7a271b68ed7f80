import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededDealer, type SeededUser, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ListingModel } from '../listing/model.ts';
import { MailModel } from '../mail/model.ts';
import { dealerClosingsJob } from './dealerClosings.ts';
import { DealerModel } from './model.ts';
import { assertNoObligations } from './obligations.ts';

const world = product();
const { market } = world;
let moderator: SeededUser;

beforeAll(async () => {
  moderator = await market.staff('moderator');
});

const decide = (name: string, dealer: { id: string }, by: { token: string }, input: object = {}) =>
  world.stack.execute(
    `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) {
      ${name}(input: $input) { dealer { id state stateReason version } } }`,
    { input: { dealerId: dealer.id, ...input } },
    { as: by.token, installation: market.installation },
  );
const suspend = (dealer: { id: string }, input: object = {}, by = moderator) =>
  decide('suspendDealer', dealer, by, { reason: 'Complaints', ...input });
const reinstate = (dealer: { id: string }, input: object = {}, by = moderator) =>
  decide('reinstateDealer', dealer, by, input);
const close = (dealer: SeededDealer, input: object = {}) =>
  decide('closeDealer', dealer, dealer.owner, input);
const done = async (result: Promise<{ data?: any; errors?: any }>) => {
  const { data, errors } = await result;
  if (errors) throw errors[0];
  return (Object.values(data)[0] as any).dealer;
};
const stored = (id: string) => scoped(DealerModel, market.installation.id).findOne({ _id: id });
const isListed = async (id: string): Promise<boolean> => {
  const { data } = await world.stack.execute(
    'query ($id: ID!) { catalogListing(listingId: $id) { id } }',
    { id },
    { installation: market.installation },
  );
  return data?.catalogListing !== null;
};
const mailsTo = async (to: string) =>
  (await scoped(MailModel, market.installation.id).find({ to }, { sort: { createdAt: 1 } })).map(
    ({ template }) => template,
  );

describe('a suspension', () => {
  test('takes the listings out of the catalogue in their states, and tells and remembers why', async () => {
    const dealer = await market.dealer();
    const [live, draft] = [await dealer.listing({ published: true }), await dealer.listing()];
    expect(await done(suspend(dealer, { reason: ' Many complaints ' }))).toMatchObject({
      state: 'SUSPENDED',
      stateReason: 'Many complaints',
      version: 2,
    });
    expect(await isListed(live.id)).toBe(false);
    const listings = await scoped(ListingModel, market.installation.id).find(
      { _id: { $in: [live.id, draft.id] } },
      { sort: { createdAt: 1 } },
    );
    expect(listings.map(({ state }) => state)).toEqual(['active', 'draft']);
    expect(await mailsTo(dealer.owner.email)).toEqual(['dealerSuspended']);
    const line = await scoped(AuditEventModel, market.installation.id).findOne({ 'target.id': dealer.id });
    expect(line).toMatchObject({
      action: 'suspendDealer',
      reason: 'Many complaints',
      actor: { id: moderator.id },
    });
  });

  test('leaves members their reading, and refuses what they write at once', async () => {
    const dealer = await market.dealer();
    const draft = await dealer.listing();
    await done(suspend(dealer));
    const run = (source: string, variables: Record<string, unknown>) =>
      world.stack.execute(source, variables, { as: dealer.owner.token, installation: market.installation });
    const me = await run('{ me { dealerMemberships { dealerState } } }', {});
    expect(me.data?.me.dealerMemberships).toEqual([{ dealerState: 'SUSPENDED' }]);
    for (const [query, id] of [
      ['query ($id: ID!) { dealer(dealerId: $id) { tradeName } }', dealer.id],
      ['query ($id: ID!) { listing(listingId: $id) { title } }', draft.id],
      ['query ($id: ID!) { listings(dealerId: $id) { nodes { id } } }', dealer.id],
    ] as const)
      expect((await run(query, { id })).errors).toBeUndefined();
    for (const [name, input] of [
      ['createListing', { dealerId: dealer.id, title: 'Another one' }],
      ['updateListing', { listingId: draft.id, title: 'Another title' }],
      ['publishListing', { listingId: draft.id }],
    ] as const) {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
      const result = await run(`mutation ($input: ${type}) { ${name}(input: $input) { listing { id } } }`, {
        input,
      });
      expect([name, problemOf(result).code]).toEqual([name, 'dealer_not_active']);
    }
  });

  test('is taken back with the listings, unless they have expired', async () => {
    const dealer = await market.dealer();
    const [live, old] = [
      await dealer.listing({ published: true }),
      await dealer.listing({ published: true }),
    ];
    await done(suspend(dealer));
    await scoped(CatalogListingModel, market.installation.id).findOneAndUpdate(
      { _id: old.id },
      { $set: { expiresAt: new Date(world.stack.platform.now() - 1) } },
    );
    expect(await done(reinstate(dealer))).toMatchObject({ state: 'ACTIVE', stateReason: null });
    expect([await isListed(live.id), await isListed(old.id)]).toEqual([true, false]);
    expect(await mailsTo(dealer.owner.email)).toEqual(['dealerSuspended', 'dealerReinstated']);
    await dealer.listing({ published: true });
  });

  test('needs a reason, a dealer in the right state and version, and happens once under a key', async () => {
    const dealer = await market.dealer();
    for (const reason of ['', '   ', 'x'.repeat(501), 'a\u202eb'])
      expect(problemOf(await suspend(dealer, { reason })).errors).toMatchObject([{ pointer: '#/reason' }]);
    expect(problemOf(await suspend(dealer, { expectedVersion: 7 }))).toMatchObject({ status: 412 });
    expect(problemOf(await reinstate(dealer))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'active', allowed: ['suspended', 'closing'] },
    });
    expect(problemOf(await suspend({ id: newId('dealer') }))).toMatchObject({ code: 'not_found' });
    const elsewhere = await world.neighbour();
    const theirs = await elsewhere.dealer();
    expect(problemOf(await suspend(theirs))).toMatchObject({ code: 'not_found' });
    const key = { idempotencyKey: unique('suspend') };
    const first = await done(suspend(dealer, key));
    expect(await done(suspend(dealer, key))).toEqual(first);
    expect(problemOf(await suspend(dealer))).toMatchObject({ code: 'invalid_transition' });
  });

  test('by fifty at once happens once', async () => {
    const dealer = await market.dealer();
    const results = await Promise.all(Array.from({ length: 50 }, () => suspend(dealer)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(await mailsTo(dealer.owner.email)).toEqual(['dealerSuspended']);
    expect(await stored(dealer.id)).toMatchObject({ state: 'suspended', version: 2 });
  }, 60_000);
});

describe('closing', () => {
  test('hides the listings at once; the job puts them away and closes the dealer', async () => {
    const dealer = await market.dealer();
    const [live, sold] = [await dealer.listing({ published: true }), await dealer.listing()];
    await scoped(ListingModel, market.installation.id).findOneAndUpdate(
      { _id: sold.id },
      { $set: { state: 'sold' } },
    );
    expect(await done(close(dealer))).toMatchObject({ state: 'CLOSING' });
    expect(await isListed(live.id)).toBe(false);
    await world.stack.runJob(dealerClosingsJob.name);
    expect(await stored(dealer.id)).toMatchObject({ state: 'closed' });
    const listings = await scoped(ListingModel, market.installation.id).find(
      { 'owner.id': dealer.id },
      { sort: { createdAt: 1 } },
    );
    expect(listings.map(({ state }) => state)).toEqual(['archived', 'sold']);
    expect(await scoped(CatalogListingModel, market.installation.id).count({ 'seller.id': dealer.id })).toBe(
      0,
    );
    const lines = await scoped(AuditEventModel, market.installation.id).find(
      { 'target.id': dealer.id },
      { sort: { at: 1, _id: 1 } },
    );
    expect(lines.map(({ action, actor }) => [action, actor.type])).toEqual([
      ['closeDealer', 'user'],
      ['dealerClosed', 'system'],
    ]);
    const me = await world.stack.execute(
      '{ me { dealerMemberships { dealerState } } }',
      {},
      { as: dealer.owner.token, installation: market.installation },
    );
    expect(me.data?.me.dealerMemberships).toEqual([{ dealerState: 'CLOSED' }]);
  });

  test('goes on where a process was cut short', async () => {
    const dealer = await market.dealer();
    const listings = [await dealer.listing({ published: true }), await dealer.listing()];
    await done(close(dealer));
    // The first batch was archived, and then the process died.
    await scoped(ListingModel, market.installation.id).findOneAndUpdate(
      { _id: listings[1]?.id ?? '' },
      { $set: { state: 'archived' } },
    );
    await world.stack.runJob(dealerClosingsJob.name);
    await world.stack.runJob(dealerClosingsJob.name);
    expect(await stored(dealer.id)).toMatchObject({ state: 'closed', version: 3 });
    expect(
      await scoped(ListingModel, market.installation.id).count({ 'owner.id': dealer.id, state: 'archived' }),
    ).toBe(2);
  });

  test.each(['onboarding', 'active', 'suspended'] as const)('is possible from %s', async (state) => {
    const dealer = await market.dealer({ state });
    expect(await done(close(dealer))).toMatchObject({ state: 'CLOSING' });
    expect(problemOf(await close(dealer))).toMatchObject({
      code: 'invalid_transition',
      allowedFrom: { state: 'closing', allowed: ['closed'] },
    });
    for (const next of [suspend, reinstate])
      expect(problemOf(await next(dealer))).toMatchObject({ code: 'invalid_transition' });
  });

  test('is the owner’s, by a recent sign-in, and of the version that was meant', async () => {
    const manager = await market.user();
    const dealer = await market.dealer({ members: [{ userId: manager.id, role: 'manager' }] });
    expect(problemOf(await decide('closeDealer', dealer, manager))).toMatchObject({
      code: 'dealer_role_required',
    });
    expect(problemOf(await close(dealer, { expectedVersion: 9 }))).toMatchObject({ status: 412 });
    const stale = await world.stack.signIn({
      installation: market.installation,
      dealers: [{ dealerId: dealer.id, role: 'owner' }],
      signedInSecondsAgo: 601,
    });
    expect(problemOf(await decide('closeDealer', dealer, stale))).toMatchObject({
      code: 'reauthentication_required',
      status: 401,
    });
  });

  test('waits for everything that is still owed, by name', async () => {
    const dealer = await stored((await market.dealer()).id);
    if (!dealer) throw new Error('no dealer');
    const kinds = [
      { name: 'balance', isOpen: async () => true },
      { name: 'disputes', isOpen: async () => false },
      { name: 'authorised payments', isOpen: async () => true },
    ];
    await expect(
      inTransaction((session) => assertNoObligations(dealer, session, kinds)),
    ).rejects.toMatchObject({
      code: 'open_obligations',
      status: 409,
      details: { obligations: ['balance', 'authorised payments'] },
    });
    await inTransaction((session) => assertNoObligations(dealer, session, kinds.slice(1, 2)));
  });
});

describe('the queue', () => {
  test('has the dealer first who submitted first, and those who never did last', async () => {
    const there = await world.neighbour();
    const support = await there.staff('support');
    const dealers = [await there.dealer(), await there.dealer(), await there.dealer(), await there.dealer()];
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
    const set = (index: number, $set: object) =>
      scoped(DealerModel, there.installation.id).findOneAndUpdate(
        { _id: dealers[index]?.id ?? '' },
        { $set },
      );
    await set(1, { queuedAt: at(2), 'verification.state': 'submitted', country: 'AT' });
    await set(2, { queuedAt: at(1), 'verification.state': 'submitted', state: 'onboarding' });
    await set(3, { queuedAt: at(3), 'verification.state': 'approved' });
    const list = async (args: string) => {
      const result = await world.stack.execute(
        `{ adminDealers${args} { nodes { id } pageInfo { hasNextPage endCursor } } }`,
        {},
        { as: support.token, installation: there.installation },
      );
      if (result.errors) throw result.errors[0];
      const { nodes, pageInfo } = result.data?.adminDealers ?? {};
      const order = nodes.map(({ id }: { id: string }) => dealers.findIndex((dealer) => dealer.id === id));
      return { order, ...pageInfo };
    };
    expect((await list('')).order).toEqual([2, 1, 3, 0]);
    expect((await list('(verificationState: [SUBMITTED])')).order).toEqual([2, 1]);
    expect((await list('(state: [ACTIVE])')).order).toEqual([1, 3, 0]);
    expect((await list('(country: "AT")')).order).toEqual([1]);
    expect((await list('(country: "AT", state: [SUSPENDED])')).order).toEqual([]);
    const first = await list('(first: 3)');
    expect([first.order, first.hasNextPage]).toEqual([[2, 1, 3], true]);
    expect((await list(`(first: 3, after: "${first.endCursor}")`)).order).toEqual([0]);
    await expect(list(`(first: 3, state: [ACTIVE], after: "${first.endCursor}")`)).rejects.toMatchObject({
      extensions: { problem: { code: 'invalid_cursor' } },
    });
    await expect(list('(country: "Austria")')).rejects.toMatchObject({
      extensions: { problem: { code: 'malformed_request' } },
    });
  });
});
