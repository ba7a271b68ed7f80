import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import type { UpdateListingInput } from '../../identity.generated.ts';
import { applyInput } from './content/applyInput.ts';
import { checkContent } from './content/checkContent.ts';
import { loadReferences } from './content/loadReferences.ts';
import { pickContent } from './content/revision.ts';
import { assertMayPost } from './lifecycle/assertMayPost.ts';
import { withListing } from './lifecycle/changeListing.ts';
import { decideContent } from './lifecycle/decideContent.ts';
import { saveListing } from './lifecycle/saveListing.ts';
import type { ListingRecord } from './record/model.ts';
import { ownsListing } from './record/policy.ts';

export async function updateListing(
  input: UpdateListingInput,
  context: RequestContext,
): Promise<ListingRecord> {
  return withListing(context, input.listingId, async (open) => {
    const { stored, listing: before, dealer } = open;
    assertMayPost(context, dealer);
    const content = applyInput(pickContent(before), input);
    assertStaysOwn(context, { ...content, owner: before.owner });
    const references = await loadReferences(context, content, dealer);
    const problems = checkContent(content, references);
    if (problems.length > 0) throw invalidFields(problems);
    assertVersion(before.version, input.expectedVersion);
    const changes = decideContent(before, content, references.category, context);
    return changes ? saveListing(context, stored, changes, open) : stored;
  });
}

/** Checks that an agent who is restricted to some locations does not move a listing out of reach. */
function assertStaysOwn(
  { viewer }: RequestContext,
  after: Pick<ListingRecord, 'owner' | 'dealerLocationId'>,
): void {
  if (ownsListing(viewer, after)) return;
  throw new AppError('dealer_role_required', 'You act for some of the dealer’s locations only.');
}
