import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { categoryLoader } from '../category/categoryLoader.ts';
import { dealerLoader } from '../dealer/policy.ts';
import type { ListingReferences } from './checkContent.ts';
import type { ListingContent, ListingOwnerRef } from './model.ts';

/** The records that a listing's content names, inside the installation. */
export async function loadReferences(
  context: RequestContext,
  { categoryId }: Pick<ListingContent, 'categoryId'>,
  owner: ListingOwnerRef,
): Promise<ListingReferences> {
  const [category, dealer] = await Promise.all([
    categoryId === null ? null : context.loader(categoryLoader).load(categoryId),
    owner.type === 'dealer' ? context.loader(dealerLoader).load(owner.id) : null,
  ]);
  return { category, dealer };
}
