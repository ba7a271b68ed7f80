import { storeMedia } from '../../../../../test/support/people/storeMedia.ts';
import { product } from '../../../../../test/support/product.ts';
import { recordsOf } from '../fixture/recordsOf.ts';
import type { ListingRecord } from '../record/model.ts';
import { type ListingState, listingStates } from '../record/states.ts';

const { market, stack } = product();
const { put, stored } = recordsOf(market);
const hourMs = 3_600_000;

const except = (...states: ListingState[]) => listingStates.filter((state) => !states.includes(state));

/** The states in which each operation is accepted, and codes of its refusals other than `invalid_transition`. */
const rows = [
  { operation: 'publishListing', from: ['draft', 'paused', 'rejected', 'sold'], codes: {} },
  { operation: 'pauseListing', from: ['active'], codes: {} },
  { operation: 'renewListing', from: ['expired'], codes: { active: 'renewal_too_early' } },
  { operation: 'reserveListing', from: ['active'], codes: { reserved: 'already_reserved' } },
  { operation: 'releaseListingReservation', from: ['reserved'], codes: {} },
  { operation: 'markListingSold', from: ['active', 'paused', 'reserved'], codes: {} },
  { operation: 'archiveListing', from: except('archived'), codes: {} },
  { operation: 'updateListing', from: except('archived', 'sold'), codes: {} },
  { operation: 'setListingMedia', from: except('archived', 'sold'), codes: {} },
] as const;

/** The members of a listing in a state. */
function membersIn(state: ListingState): Partial<ListingRecord> {
  const now = stack.platform.now();
  const until = new Date(now + hourMs);
  const reservation = { until, conversationId: null, buyerUserId: null, paymentId: null };
  const sale = { soldAt: new Date(now), channel: 'elsewhere' as const, price: null, buyerUserId: null };
  return {
    state,
    reservation: state === 'reserved' ? reservation : null,
    sale: state === 'sold' ? sale : null,
  };
}

test.each(rows)('$operation is accepted in its states and refused in all others', async (row) => {
  const anna = await market.user();
  const { id } = await anna.listing({ published: true });
  for (const [index, state] of listingStates.entries()) {
    await put(id, membersIn(state));
    const mediaId = await storeMedia(market.installation.id, { type: 'user', id: anna.id });
    const until = new Date(stack.platform.now() + hourMs).toISOString();
    const inputs: Record<string, object> = {
      reserveListing: { until },
      updateListing: { title: `Title ${index}` },
      setListingMedia: { media: [{ mediaId }] },
    };
    const answer = await anna[row.operation]({ listingId: id, ...inputs[row.operation] } as never);
    const codes: Partial<Record<ListingState, string>> = row.codes;
    const isDone = (row.from as readonly ListingState[]).includes(state);
    if (isDone) expect(answer).not.toBeRefused();
    else expect(answer).toBeRefused(409, codes[state] ?? 'invalid_transition');
  }
});

test('a change of texts or files moves a listing in review to draft', async () => {
  const anna = await market.user();
  const { id: listingId } = await anna.listing();
  const mediaId = await storeMedia(market.installation.id, { type: 'user', id: anna.id });
  const changes = [
    () => anna.updateListing({ listingId, title: 'Another title' }),
    () => anna.setListingMedia({ listingId, media: [{ mediaId }] }),
  ];
  for (const change of changes) {
    await put(listingId, { state: 'pending_review' });
    await change();
    expect((await stored(listingId)).state).toBe('draft');
  }
});
