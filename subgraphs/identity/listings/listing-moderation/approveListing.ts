import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { type Act, performAct } from '../../../platform/mongo/performAct.ts';
import type { ApproveListingInput } from '../../identity.generated.ts';
import { toPublished } from '../listing/content/revision.ts';
import { publication } from '../listing/lifecycle/publication.ts';
import type { ListingChanges } from '../listing/lifecycle/saveListing.ts';
import type { ListingRecord } from '../listing/record/model.ts';
import { invalidTransition, isAllowed, publicStates } from '../listing/record/states.ts';
import { isNewer, toQueue } from '../listing/record/toQueue.ts';
import { assertText, listingDecision } from './listingDecision.ts';

export async function approveListing(
  input: ApproveListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return { listing: await performAct(listingApproval(input, context)) };
}

/** Returns the approval of a listing, as part of a larger decision. */
export function listingApproval(
  { listingId, revision, expectedVersion, ...input }: ApproveListingInput,
  context: RequestContext,
): Act<ListingRecord> {
  const note = input.note?.trim() || null;
  return listingDecision(context, {
    action: 'approveListing',
    listingId,
    revision,
    expectedVersion,
    reason: note,
    authorize: (listing) => assertFourEyes(context, listing),
    assertMeaning: () => assertText(note, '#/note'),
    change: (listing) => ({
      ...shownAs(listing, context),
      moderation: {
        id: newId('decision'),
        decision: 'approved',
        reasonCodes: [],
        statement: null,
        decidedAt: new Date(context.platform.now()),
        revision,
        appealUntil: null,
      },
    }),
    mail: ({ title }) => ({ template: 'listingApproved', data: { title: title ?? '' } }),
  });
}

/** Publishes the listing. A published or paused listing gets its queued revision. */
function shownAs(listing: ListingRecord, context: RequestContext): ListingChanges {
  if (isNewer(listing)) return { published: toPublished(listing) };
  // The owner has already restored it, so its public copy stays.
  if (publicStates.has(listing.state) && toQueue(listing, 0).flags.includes('resubmitted')) return {};
  if (isAllowed(listing.state, 'active', 'approveListing')) return publication(listing, context);
  throw invalidTransition(listing.state, 'approved');
}

/** Refuses approval by staff who own the listing, or who belong to its dealer at any location. */
function assertFourEyes({ viewer }: RequestContext, { owner }: ListingRecord): void {
  const isInvolved = owner.type === 'user' ? owner.id === viewer.id : viewer.membershipOf(owner.id);
  if (isInvolved) throw new AppError('four_eyes', 'You own this listing, so another moderator must decide.');
}
