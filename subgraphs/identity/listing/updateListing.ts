import type { UpdateListingInput } from '../../../schema/identity.generated.ts';
import { assertVersion } from '../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields, notFound } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import type { CategoryRecord } from '../category/model.ts';
import { applyInput } from './applyInput.ts';
import { assertMayPost } from './assertMayPost.ts';
import { checkContent } from './checkContent.ts';
import { assertNoGaps, findGaps } from './findGaps.ts';
import { findOwningDealer } from './findOwningDealer.ts';
import { invalidTransition } from './invalidTransition.ts';
import { loadReferences } from './loadReferences.ts';
import { ListingModel, type ListingRecord } from './model.ts';
import { ownsListing } from './policy.ts';
import { isMaterialChange, isSameContent, nextPublished, pickContent } from './revision.ts';
import { type ListingChanges, saveListing } from './saveListing.ts';

/** What the public sees, or a moderator looks at, must not lose what publication needed. */
const mustStayComplete = new Set<ListingRecord['state']>(['pending_review', 'active', 'reserved']);
const closedStates = new Set<ListingRecord['state']>(['sold', 'archived']);

export async function updateListing(
  input: UpdateListingInput,
  context: RequestContext,
): Promise<ListingRecord> {
  return inTransaction(async (session) => {
    const before = await scoped(ListingModel, context.installationId).findOne(
      { _id: input.listingId },
      { session },
    );
    if (!before) throw notFound('The listing');
    const dealer = await findOwningDealer(before, session);
    assertMayPost(context, dealer);
    const content = applyInput(pickContent(before), input);
    assertStaysOwn(context, { ...content, owner: before.owner });
    const references = await loadReferences(context, content, dealer);
    const problems = checkContent(content, references);
    if (problems.length > 0) throw invalidFields(problems);
    assertVersion(before.version, input.expectedVersion);
    if (closedStates.has(before.state)) throw invalidTransition(before.state, 'changed');
    if (isSameContent(before, content)) return before;
    if (mustStayComplete.has(before.state)) assertNoGaps(findGaps(content, references.category));
    const changes: ListingChanges = { ...content, ...follow(context, before, content, references.category) };
    return saveListing(context, before, changes, { session, dealer });
  });
}

/** What a change of the content means for revision, state and the published copy. */
function follow(
  { installation }: RequestContext,
  before: ListingRecord,
  content: ReturnType<typeof pickContent>,
  category: CategoryRecord | null,
): ListingChanges {
  const material = isMaterialChange(before, content, category);
  const revision = before.revision + (material ? 1 : 0);
  const isWithdrawn = before.state === 'pending_review' && material;
  return {
    revision,
    ...(isWithdrawn ? { state: 'draft' as const } : {}),
    published: nextPublished(before, content, {
      revision,
      category,
      moderation: installation.settings.moderation,
    }),
  };
}

/** An agent of some locations must not move a listing out of his own reach. */
function assertStaysOwn(
  { viewer }: RequestContext,
  after: Pick<ListingRecord, 'owner' | 'dealerLocationId'>,
): void {
  if (ownsListing(viewer, after)) return;
  throw new AppError('dealer_role_required', 'You act for some of the dealer’s locations only.');
}
