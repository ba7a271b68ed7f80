import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidField, invalidFields } from '../../../platform/errors/AppError.ts';
import { insertOnce } from '../../../platform/installation/insertOnce.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { CreateListingInput } from '../../identity.generated.ts';
import type { OwnerRef } from '../../kernel/owner/OwnerRef.ts';
import type { DealerRecord } from '../../people/dealer/model.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { newContent } from './content/applyInput.ts';
import { checkContent } from './content/checkContent.ts';
import { loadReferences } from './content/loadReferences.ts';
import { assertMayPost } from './lifecycle/assertMayPost.ts';
import { refuseStockNumber } from './lifecycle/saveListing.ts';
import { newListing } from './newListing.ts';
import { ListingModel, type ListingRecord } from './record/model.ts';
import { ownsListing } from './record/policy.ts';

export async function createListing(
  input: CreateListingInput,
  context: RequestContext,
): Promise<{ listing: ListingRecord }> {
  return { listing: await store(input, context, context.attempt.newId('listing')) };
}

async function store(
  input: CreateListingInput,
  context: RequestContext,
  _id: string,
): Promise<ListingRecord> {
  const { viewer, installation } = context;
  const dealer = await findDealer(input, context);
  const owner: OwnerRef = dealer ? { type: 'dealer', id: dealer._id } : { type: 'user', id: viewer.id };
  assertMayPost(context, dealer);
  const content = newContent(installation.locales[0] ?? 'en', input);
  if (!ownsListing(viewer, { ...content, owner })) {
    throw new AppError(
      'dealer_role_required',
      'You act for some of the dealer’s locations only. Send one of them as the location.',
    );
  }
  const problems = checkContent(content, await loadReferences(context, content, dealer));
  if (problems.length > 0) throw invalidFields(problems);
  const listings = scoped(ListingModel, context.installationId);
  // An earlier run under the same key may have stored the listing.
  const { record } = await insertOnce(listings, newListing(content, { _id, owner }, context)).catch(
    refuseStockNumber,
  );
  return record;
}

/** Returns the dealer that the listing is for; an API client has exactly one. Null for a private listing. */
async function findDealer(
  { dealerId }: CreateListingInput,
  context: RequestContext,
): Promise<DealerRecord | null> {
  const id = dealerId ?? context.viewer.token.dealerId;
  if (!id) return null;
  const dealer = await context.loader(dealerLoader).load(id);
  if (!dealer) {
    const detail = 'This dealer does not exist.';
    throw invalidField('#/dealerId', detail);
  }
  if (context.viewer.hasDealerRole(id, 'AGENT')) return dealer;
  throw new AppError('dealer_role_required', 'This needs at least the role "agent" in the dealer.');
}
