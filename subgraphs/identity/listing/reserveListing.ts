import type { ReserveListingInput } from '../../../schema/identity.generated.ts';
import type { FieldProblem } from '../../../schema/Problem.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { conversationLoader } from '../conversation/policy.ts';
import { changeListing } from './changeListing.ts';
import { findBuyerFault } from './findBuyerFault.ts';
import type { ListingRecord } from './model.ts';
import { invalidTransition, isAllowed } from './states.ts';

const longestMs = 30 * 24 * 3600 * 1000;

/** Of several at once the transactions of all but the first one are repeated, and find the listing reserved. */
export function reserveListing(input: ReserveListingInput, context: RequestContext): Promise<ListingRecord> {
  return changeListing(context, input.listingId, async ({ stored, listing }) => {
    const problems = await findProblems(input, listing, context);
    if (problems.length > 0) throw invalidFields(problems);
    assertVersion(stored.version, input.expectedVersion);
    if (listing.state === 'reserved')
      throw new AppError('already_reserved', 'The listing is reserved already.');
    if (!isAllowed(listing.state, 'reserved', 'reserveListing'))
      throw invalidTransition(listing.state, 'reserved');
    const { until, buyerUserId = null, conversationId } = input;
    return {
      state: 'reserved',
      reservation: { until, buyerUserId, conversationId: conversationId ?? null, paymentId: null },
    };
  });
}

async function findProblems(
  { until, conversationId, buyerUserId }: ReserveListingInput,
  listing: ListingRecord,
  context: RequestContext,
): Promise<FieldProblem[]> {
  const leftMs = until.getTime() - context.platform.now();
  const problems: (FieldProblem | null)[] = [
    leftMs <= 0 || leftMs > longestMs
      ? problem('#/until', 'A reservation ends in the future, at most 30 days from now.')
      : null,
    await findConversationFault(conversationId, listing, context),
    await findBuyerFault(buyerUserId, listing, context),
  ];
  return problems.filter((found) => found !== null);
}

/** A reservation names only a conversation about this listing; any other one does not exist. */
async function findConversationFault(
  conversationId: string | null | undefined,
  { _id }: ListingRecord,
  context: RequestContext,
): Promise<FieldProblem | null> {
  if (conversationId === null || conversationId === undefined) return null;
  const conversation = await context.loader(conversationLoader).load(conversationId);
  return conversation?.listingId === _id
    ? null
    : problem('#/conversationId', 'This conversation does not exist.');
}

function problem(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'validation_failed', detail };
}
