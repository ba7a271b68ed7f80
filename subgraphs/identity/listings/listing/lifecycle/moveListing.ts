import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { assertVersion } from '../../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { invalidFields, notFound, problem } from '../../../../platform/errors/AppError.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { dayMs } from '../../../../platform/time/durations.ts';
import type {
  ArchiveListingInput,
  ArchiveListingPayload,
  MarkListingSoldInput,
  PauseListingInput,
  PublishListingInput,
  ReleaseListingReservationInput,
  RenewListingInput,
  ReserveListingInput,
} from '../../../identity.generated.ts';
import { announceDeparture } from '../../../kernel/announcement/announceDeparture.ts';
import { setMediaUsage } from '../../../media/setMediaUsage.ts';
import { ensureSellerLock } from '../../../people/seller-standing/sellerStanding.ts';
import { listingHooks } from '../../hooks/listingHooks.ts';
import { checkPrice } from '../content/checkContent.ts';
import { filesOf } from '../content/revision.ts';
import { partiesOf } from '../record/describeListings.ts';
import { ListingModel, type ListingRecord } from '../record/model.ts';
import { listingLoader } from '../record/policy.ts';
import { invalidTransition } from '../record/states.ts';
import { assertComplete, assertMayPublish } from './assertPublishable.ts';
import { assertQuota } from './assertQuota.ts';
import { changeListing, type OpenListing, withListing } from './changeListing.ts';
import {
  assertNoPayment,
  decideArchiving,
  decidePause,
  decidePublication,
  decideRelease,
  decideReservation,
  decideSale,
  isRepublication,
  renewal,
} from './decideTransition.ts';
import { findBuyerFault } from './findBuyerFault.ts';
import { type ListingChanges, saveListing } from './saveListing.ts';

/** Inputs of the mutations that move a listing to another state, by mutation. */
interface Inputs {
  publishListing: PublishListingInput;
  pauseListing: PauseListingInput;
  renewListing: RenewListingInput;
  reserveListing: ReserveListingInput;
  releaseListingReservation: ReleaseListingReservationInput;
  markListingSold: MarkListingSoldInput;
}

interface Move<Input> {
  /** The listing may count towards the owner's limit, whose record must exist for that. */
  takesPlace?: true;
  /** Reads the inputs of the transition and decides in the transaction that applies it. */
  decide(open: OpenListing, input: Input, context: RequestContext): ListingChanges | Promise<ListingChanges>;
}

const longestReservationMs = 30 * dayMs;

const moves: { readonly [Name in keyof Inputs]: Move<Inputs[Name]> } = {
  publishListing: {
    takesPlace: true,
    async decide({ listing, dealer, session }, _, context) {
      assertMayPublish(dealer, context);
      await assertComplete(listing, dealer, context);
      if (listing.state === 'sold' && (await listingHooks.bound.isPaidFor(listing, session)))
        throw invalidTransition(listing.state, 'published');
      const changes = decidePublication(listing, context);
      await assertQuota(context, listing, dealer, session);
      return changes;
    },
  },
  pauseListing: { decide: ({ listing }) => decidePause(listing) },
  renewListing: {
    takesPlace: true,
    async decide({ listing, dealer, session }, _, context) {
      assertMayPublish(dealer, context);
      if (isRepublication(listing, context)) {
        // Its content may have changed since it expired, and another listing may have used its place in the quota.
        await assertComplete(listing, dealer, context);
        await assertQuota(context, listing, dealer, session);
      }
      return renewal(listing, context);
    },
  },
  // Of concurrent reservations, all but the first are retried and find the listing reserved.
  reserveListing: {
    async decide({ stored, listing }, input, context) {
      const { until, conversationId, buyerUserId } = input;
      refuse(
        findTimeFault(until, context.platform.now()),
        await findConversationFault(conversationId, listing, context),
        await findBuyerFault(buyerUserId, listing, context),
      );
      assertVersion(stored.version, input.expectedVersion);
      return decideReservation(listing, input);
    },
  },
  releaseListingReservation: {
    decide({ stored, listing }, { expectedVersion }) {
      assertVersion(stored.version, expectedVersion);
      return decideRelease(listing);
    },
  },
  markListingSold: {
    async decide({ listing, session }, input, context) {
      if (await listingHooks.bound.isBeingBought(listing, session)) assertNoPayment(listing);
      const fault = await findBuyerFault(input.buyerUserId, listing, context);
      refuse(...(input.price ? checkPrice(input.price) : []), fault);
      return decideSale(listing, input, context);
    },
  },
};

/** Runs one of the mutations that change the state of a listing, and returns the listing after the change. */
export async function moveListing<Name extends keyof Inputs>(
  name: Name,
  input: Inputs[Name],
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  const { takesPlace, decide } = moves[name];
  if (takesPlace) await lockStandingOf(input.listingId, context);
  return { listing: await changeListing(context, input.listingId, (open) => decide(open, input, context)) };
}

async function lockStandingOf(listingId: string, context: RequestContext): Promise<void> {
  const guarded = await context.loader(listingLoader).load(listingId);
  if (!guarded) throw notFound('The listing');
  await ensureSellerLock(context, guarded.owner.id);
}

/** Archives a listing, or deletes it if it is a draft that was never published. */
export function archiveListing(
  { listingId, expectedVersion }: ArchiveListingInput,
  context: RequestContext,
): Promise<ArchiveListingPayload> {
  return withListing(context, listingId, async (open) => {
    assertVersion(open.stored.version, expectedVersion);
    const changes = decideArchiving(open.listing);
    if (changes) await saveListing(context, open.stored, changes, open);
    else await remove(context, open);
    return { archivedListingId: listingId, removed: changes === null };
  });
}

/** Deletes a draft. A concurrent change of the listing conflicts with it. */
async function remove(context: RequestContext, { stored, session }: OpenListing): Promise<void> {
  const { _id, version } = stored;
  await scoped(ListingModel, context.installationId).deleteMany({ _id }, { session });
  const use = { type: 'listing', id: _id } as const;
  await setMediaUsage(context, use, { before: filesOf(stored), after: [] }, session);
  const departed = { type: 'listing', id: _id, version, parties: partiesOf(stored) } as const;
  await announceDeparture(context, departed, session);
}

/**
 * Throws all errors together.
 *
 * @throws AppError `validation_failed`
 */
function refuse(...found: readonly (FieldProblem | null)[]): void {
  const problems = found.filter((problem) => problem !== null);
  if (problems.length > 0) throw invalidFields(problems);
}

function findTimeFault(until: Date, now: number): FieldProblem | null {
  const leftMs = until.getTime() - now;
  return leftMs <= 0 || leftMs > longestReservationMs
    ? problem('#/until', 'A reservation must end in the future, at most 30 days from now.')
    : null;
}

/**
 * Returns the error in a reservation's conversation. It must be about this listing; any other one is treated as
 * missing.
 */
async function findConversationFault(
  conversationId: string | null | undefined,
  listing: ListingRecord,
  context: RequestContext,
): Promise<FieldProblem | null> {
  if (conversationId === null || conversationId === undefined) return null;
  return (await listingHooks.bound.isAbout(conversationId, listing, context))
    ? null
    : problem('#/conversationId', 'This conversation does not exist.');
}
