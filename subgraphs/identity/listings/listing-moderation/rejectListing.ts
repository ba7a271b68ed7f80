import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { type Act, performAct } from '../../../platform/mongo/performAct.ts';
import type { RejectListingInput } from '../../identity.generated.ts';
import type { ListingChanges } from '../listing/lifecycle/saveListing.ts';
import type { ListingRecord, StoredModeration } from '../listing/record/model.ts';
import { invalidTransition, isAllowed } from '../listing/record/states.ts';
import { toQueue } from '../listing/record/toQueue.ts';
import { assertText, listingDecision } from './listingDecision.ts';

/** Time for an appeal: six months at least (Digital Services Act, article 20). */
const appealMonths = 6;

export async function rejectListing(
  input: RejectListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return { listing: await performAct(listingRejection(input, context)) };
}

/** Returns the rejection of a listing, as part of a larger decision. */
export function listingRejection(
  { listingId, revision, expectedVersion, ...input }: RejectListingInput,
  context: RequestContext,
): Act<ListingRecord> {
  const statement = input.statement?.trim() || null;
  const reasonCodes = [...new Set(input.reasonCodes)];
  const keepsPublished = input.keepPublished ?? false;
  const decidedAt = new Date(context.platform.now());
  const moderation: StoredModeration = {
    id: newId('decision'),
    decision: 'rejected',
    reasonCodes,
    statement,
    decidedAt,
    revision,
    appealUntil: monthsLater(decidedAt, appealMonths),
  };
  return listingDecision(context, {
    action: 'rejectListing',
    listingId,
    revision,
    expectedVersion,
    reason: [...reasonCodes, ...(statement ? [statement] : [])].join(', '),
    assertMeaning() {
      if (reasonCodes.length === 0)
        throw invalidField('#/reasonCodes', 'A rejection needs at least one reason.');
      assertText(statement, '#/statement');
    },
    change: (listing) => ({ ...declinedAs(listing, { keepsPublished, statement }), moderation }),
    mail: ({ title }) => ({
      template: 'listingRejected',
      data: {
        title: title ?? '',
        kind: keepsPublished ? 'revision' : 'listing',
        grounds: reasonCodes.join(', '),
        detail: statement ?? '',
        decisionId: moderation.id,
        appealUntilAt: moderation.appealUntil?.toISOString() ?? '',
      },
    }),
  });
}

/** Hides the listing, or rejects only the revision in review. */
function declinedAs(
  listing: ListingRecord,
  { keepsPublished, statement }: { keepsPublished: boolean; statement: string | null },
): ListingChanges {
  if (keepsPublished) {
    if (toQueue(listing, 0).flags.includes('queued_revision')) return {};
    throw invalidTransition(listing.state, 'declined for a revision: none waits');
  }
  if (!isAllowed(listing.state, 'rejected', 'rejectListing'))
    throw invalidTransition(listing.state, 'rejected');
  return { state: 'rejected', stateReason: statement, reservation: null };
}

function monthsLater(from: Date, months: number): Date {
  const later = new Date(from);
  later.setUTCMonth(later.getUTCMonth() + months);
  return later;
}
