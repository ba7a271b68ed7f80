import { commandsOf } from '../../../test/support/commandsOf.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { type SeededInstallation, type SeededListing, seed } from '../../../test/support/seed.ts';
import { askOwnerDocument } from '../../platform/federation/askOwner.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { DealerModel } from '../dealer/model.ts';
import { archiveListings } from '../listing/archiveListings.ts';
import { ListingModel } from '../listing/model.ts';
import { OwnerModel } from '../owner/model.ts';
import { openOwner } from '../owner/touchOwner.ts';
import { buildIdentity } from '../server.ts';
import { CatalogListingModel } from './model.ts';
import { catalogOwnersJob, settleOwner } from './settleOwner.ts';
import { returnOwner, withdrawOwner } from './withdrawOwner.ts';

let stack: TestStack;
let shop: SeededInstallation;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
});
beforeEach(async () => {
  shop = await seed(stack).installation();
});
afterAll(() => stack.close());

const place = () => stack.contextFor({ installation: shop.installation });
const bar = async (ownerId: string) => {
  await openOwner(place(), ownerId);
  await inTransaction((session) => withdrawOwner(place(), ownerId, session));
};
const allow = (ownerId: string) => inTransaction((session) => returnOwner(place(), ownerId, session));
const listed = async (): Promise<string[]> => {
  const { data } = await stack.execute(
    '{ catalogListings(first: 100) { nodes { id } } }',
    {},
    { installation: shop.installation },
  );
  return data?.catalogListings.nodes.map(({ id }: { id: string }) => id);
};
const shown = async ({ id, slug }: SeededListing) => {
  const { data } = await stack.execute(
    'query ($id: ID!, $slug: ID!) { byId: catalogListing(listingId: $id) { id } bySlug: catalogListing(listingId: $slug) { id } }',
    { id, slug },
    { installation: shop.installation },
  );
  return [data?.byId, data?.bySlug];
};
const catalog = () => scoped(CatalogListingModel, shop.installation.id);

describe('the listings of an owner who is barred', () => {
  test('are in no list, at no address and in no reference, and keep their states', async () => {
    const [anna, other] = [await shop.user(), await shop.user()];
    const [hers, others] = [
      await anna.listing({ published: true }),
      await other.listing({ published: true }),
    ];
    await bar(anna.id);
    await settleOwner(place(), anna.id);
    expect(await listed()).toEqual([others.id]);
    expect(await shown(hers)).toEqual([null, null]);
    const references = [{ __typename: 'CatalogListing', id: hers.id }];
    const { data } = await stack.execute(
      'query ($r: [_Any!]!) { _entities(representations: $r) { ... on CatalogListing { id } } }',
      { r: references },
      { installation: shop.installation },
    );
    expect(data?._entities).toEqual([null]);
    expect(await scoped(ListingModel, shop.installation.id).findOne({ _id: hers.id })).toMatchObject({
      state: 'active',
      version: 2,
    });
  });

  test('are read by nobody but the owner and the staff, from the moment of the decision', async () => {
    const [anna, other] = [await shop.user(), await shop.user()];
    const { id } = await anna.listing({ published: true });
    await bar(anna.id);
    const ask = async (by: { token: string }) => {
      const variables = { representations: [{ __typename: 'Listing', id }], texts: true, details: false };
      const call = { as: by.token, installation: shop.installation };
      return (await stack.execute(askOwnerDocument, variables, call)).data?._entities[0];
    };
    expect(await ask(other)).toMatchObject({ viewerCanRead: false, ownerId: null, content: null });
    expect(await ask(anna)).toMatchObject({ viewerCanRead: true, content: { visibility: 'PRIVATE' } });
    expect(await ask(await shop.staff('moderator'))).toMatchObject({ viewerCanRead: true });
  });

  test('come back as they were, unless they have expired', async () => {
    const anna = await shop.user();
    const [live, expired] = [
      await anna.listing({ published: true }),
      await anna.listing({ published: true }),
    ];
    await bar(anna.id);
    await settleOwner(place(), anna.id);
    await catalog().findOneAndUpdate(
      { _id: expired.id },
      { $set: { expiresAt: new Date(stack.platform.now() - 1) } },
    );
    await allow(anna.id);
    await settleOwner(place(), anna.id);
    expect(await listed()).toEqual([live.id]);
    expect(await shown(live)).toEqual([{ id: live.id }, { id: live.id }]);
  });

  test('stay hidden when they are changed, and when another one is shown for the first time', async () => {
    const dealer = await shop.dealer();
    const [old, draft] = [await dealer.listing({ published: true }), await dealer.listing()];
    await bar(dealer.id);
    await settleOwner(place(), dealer.id);
    const as = { as: dealer.owner.token, installation: shop.installation };
    for (const [name, id] of [
      ['update', old.id],
      ['publish', draft.id],
    ] as const) {
      const input = name === 'update' ? { listingId: id, title: 'Another title' } : { listingId: id };
      const field = `${name}Listing`;
      const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input!`;
      const source = `mutation ($input: ${type}) { ${field}(input: $input) { listing { state } } }`;
      const result = await stack.execute(source, { input }, as);
      expect(result.data?.[field]?.listing.state).toBe('ACTIVE');
    }
    expect(await listed()).toEqual([]);
    expect(await catalog().count({ 'seller.id': dealer.id, withdrawn: true })).toBe(2);
  });

  test('are withdrawn by the job when the process ended before it could', async () => {
    const anna = await shop.user();
    await anna.listing({ published: true });
    await bar(anna.id);
    await stack.runJob(catalogOwnersJob.name);
    expect(await listed()).toEqual([]);
    const commands = await commandsOf(() => settleOwner(place(), anna.id));
    expect(commands).toEqual(['find owners']);
  });

  test('cost the same commands for one and for thirty', async () => {
    const dealers = [await shop.dealer(), await shop.dealer()] as const;
    for (let index = 0; index < 30; index += 1) await dealers[0].listing({ published: true });
    await dealers[1].listing({ published: true });
    const costs: string[][] = [];
    for (const { id } of dealers) {
      await bar(id);
      costs.push(await commandsOf(() => settleOwner(place(), id)));
    }
    expect(costs[0]).toEqual(costs[1]);
    expect(await listed()).toEqual([]);
  });
});

test('a publication and a suspension at once never leave a barred owner’s listing in sight', async () => {
  for (let round = 0; round < 8; round += 1) {
    const dealer = await shop.dealer();
    const drafts = [await dealer.listing(), await dealer.listing()];
    const publish = drafts.map(({ id }) =>
      stack.execute(
        'mutation ($input: PublishListingInput!) { publishListing(input: $input) { listing { id } } }',
        { input: { listingId: id } },
        { as: dealer.owner.token, installation: shop.installation },
      ),
    );
    const suspend = (async () => {
      await openOwner(place(), dealer.id);
      await inTransaction(async (session) => {
        await withdrawOwner(place(), dealer.id, session);
        await scoped(DealerModel, shop.installation.id).findOneAndUpdate(
          { _id: dealer.id },
          { $set: { state: 'suspended' } },
          { session },
        );
      });
      await settleOwner(place(), dealer.id);
    })();
    const [, ...results] = await Promise.all([suspend, ...publish]);
    for (const result of results)
      if (result?.errors)
        expect(['dealer_not_active', 'concurrent_update']).toContain(problemOf(result).code);
  }
  expect(await listed()).toEqual([]);
  expect(await catalog().count({ withdrawn: { $ne: true } })).toBe(0);
});

test('twenty decisions at once end as the last one said, whoever carries them out', async () => {
  const anna = await shop.user();
  for (let index = 0; index < 3; index += 1) await anna.listing({ published: true });
  await openOwner(place(), anna.id);
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      await (index % 2 ? allow(anna.id) : bar(anna.id)).catch((error: { code?: string }) => {
        if (error.code !== 'concurrent_update') throw error;
      });
      await settleOwner(place(), anna.id).catch((error: { code?: string }) => {
        if (error.code !== 'concurrent_update') throw error;
      });
    }),
  );
  await stack.runJob(catalogOwnersJob.name);
  const owner = await scoped(OwnerModel, shop.installation.id).findOne({ _id: anna.id });
  expect(owner?.unsettled).toBe(false);
  expect(await catalog().count({ 'seller.id': anna.id, withdrawn: owner?.withdrawn === true })).toBe(3);
});

test('the listings of an owner who leaves are put away with their copies, but for what was sold', async () => {
  const anna = await shop.user();
  const [draft, live, sold] = [
    await anna.listing(),
    await anna.listing({ published: true }),
    await anna.listing({ published: true }),
  ];
  const listings = scoped(ListingModel, shop.installation.id);
  await listings.findOneAndUpdate({ _id: sold.id }, { $set: { state: 'sold' } });
  const leave = () => archiveListings(place(), { ownerId: anna.id, reason: 'account_deleted' });
  expect(await leave()).toBe(2);
  expect(await leave()).toBe(0);
  for (const { id } of [draft, live])
    expect(await listings.findOne({ _id: id })).toMatchObject({
      state: 'archived',
      stateReason: 'account_deleted',
    });
  expect(await listings.findOne({ _id: sold.id })).toMatchObject({ state: 'sold' });
  expect(await shown(live)).toEqual([null, null]);
});
