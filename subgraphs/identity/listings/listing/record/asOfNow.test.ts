import { perTest, product } from '../../../../../test/support/product.ts';
import { completeListing } from '../../../../../test/support/seed.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import type { ListingRecord } from './model.ts';
import { listingStates } from './states.ts';

const { market, stack } = product();
const { put } = recordsOf(market);
const hourMs = 3600 * 1000;

const anna = perTest(() => market.user());

const at = (afterMs: number) => new Date(stack.platform.now() + afterMs);
const held = (afterMs: number, paymentId: string | null = null): Partial<ListingRecord> => ({
  state: 'reserved',
  reservation: { until: at(afterMs), buyerUserId: null, conversationId: null, paymentId },
});
const read = (id: string) => anna.rest('GET', `/api/v1/listings/${id}`);

/** Stores a published listing as it is before a job has processed it. */
async function late(set: Partial<ListingRecord>): Promise<string> {
  const { id } = await anna.listing({ published: true });
  await put(id, set);
  return id;
}

describe('before a job has processed a listing', () => {
  test.each([
    ['an expired active listing', () => ({ state: 'active', expiresAt: at(-1) }), 'expired'],
    ['an expired paused listing', () => ({ state: 'paused', expiresAt: at(-1) }), 'expired'],
    ['a listing with an expired reservation', () => held(-1), 'active'],
    ['an expired listing with an expired reservation', () => ({ ...held(-1), expiresAt: at(-1) }), 'expired'],
    [
      'an expired listing that is reserved by a payment',
      () => ({ ...held(-1, 'pay_1'), expiresAt: at(-1) }),
      'reserved',
    ],
    [
      'an expired listing with a valid reservation',
      () => ({ ...held(hourMs), expiresAt: at(-1) }),
      'reserved',
    ],
  ] as readonly [string, () => Partial<ListingRecord>, string][])(
    '%s is read and listed with its state after the job',
    async (_, set, state) => {
      const id = await late(set());
      const reservation = state === 'reserved' ? expect.any(Object) : null;
      expect((await read(id)).body).toMatchObject({ state, reservation });
      for (const one of ['active', 'paused', 'reserved', 'expired']) {
        const { body } = await anna.rest('GET', `/api/v1/listings?state=${one}`);
        expect([one, body.data.map(({ id }: { id: string }) => id)]).toEqual([
          one,
          one === state ? [id] : [],
        ]);
      }
    },
  );

  test('a change of an expired listing returns the state EXPIRED', async () => {
    const id = await late({ expiresAt: at(-1) });
    const { listing } = await anna.updateListing(
      { listingId: id, title: 'Another title' },
      'listing { state }',
    );
    expect(listing.state).toBe('EXPIRED');
  });

  test('a stock update of an expired listing without publication returns the state expired', async () => {
    const garage = await market.dealer();
    const body = { ...completeListing(market.categories), condition: 'used' };
    const update = (more: object) =>
      garage.owner.rest('PUT', `/api/v1/dealers/${garage.id}/inventory/A1`, { body: { ...body, ...more } });
    const { body: created } = await update({ publish: true });
    await put(created.id, { expiresAt: at(-1) });
    expect((await update({ title: 'Another title' })).body).toMatchObject({
      id: created.id,
      state: 'expired',
    });
    expect((await update({ publish: true })).body).toMatchObject({ id: created.id, state: 'active' });
  });

  test('moderators find an expired listing by the state EXPIRED', async () => {
    const moderator = await market.staff('moderator');
    const id = await late({ expiresAt: at(-1) });
    const found = async (state: string) => {
      const { nodes } = await moderator.adminListings(
        { state: [state], ownerId: anna.id } as never,
        'nodes { listing { id } }',
      );
      return (nodes as unknown as { listing: { id: string } }[]).map(({ listing }) => listing.id);
    };
    expect([await found('EXPIRED'), await found('ACTIVE')]).toEqual([[id], []]);
  });

  test('an expired listing is not counted as an active listing of its dealer', async () => {
    const garage = await market.dealer();
    const [{ id }] = [await garage.listing({ published: true }), await garage.listing({ published: true })];
    await put(id, { expiresAt: at(-1) });
    const { stats } = await garage.owner.dealer({ dealerId: garage.id }, 'stats { activeListings }');
    expect(stats?.activeListings).toBe(1);
  });
});

test('a cursor of listings in a state stays valid while time passes', async () => {
  for (let count = 0; count < 3; count += 1) await anna.listing({ published: true });
  const first = await anna.listings({ state: ['ACTIVE'], first: 2 }, 'pageInfo { endCursor }');
  stack.advance(1000);
  const second = await anna.listings(
    { state: ['ACTIVE'], first: 2, after: first.pageInfo.endCursor },
    'nodes { id }',
  );
  expect(second.nodes).toHaveLength(1);
});

test('a list can be filtered by all states', async () => {
  for (const state of listingStates) await late({ state });
  const { nodes } = await anna.listings({
    state: listingStates.map((state) => state.toUpperCase()),
  } as never);
  expect(nodes).toHaveLength(listingStates.length);
});
