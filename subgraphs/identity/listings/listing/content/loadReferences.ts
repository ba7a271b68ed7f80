import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { DealerRecord } from '../../../people/dealer/model.ts';
import { categoryLoader } from '../../category/categoryLoader.ts';
import type { ListingContent } from '../record/model.ts';
import type { ListingReferences } from './checkContent.ts';

/** Loads the records that a listing's content refers to within the installation, except the dealer that owns it. */
export async function loadReferences(
  context: RequestContext,
  { categoryId }: Pick<ListingContent, 'categoryId'>,
  dealer: DealerRecord | null,
): Promise<ListingReferences> {
  const category = categoryId === null ? null : await context.loader(categoryLoader).load(categoryId);
  return { category, dealer };
}
