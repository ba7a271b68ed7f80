import type { ObjectContent } from '../../../schema/identity.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { renderMarkdown } from '../markdown/renderMarkdown.ts';
import type { ListingRecord } from './model.ts';
import { canReadDraft, isPublished } from './policy.ts';

/**
 * The texts of a listing for analysis and translation. Owner and staff get what is being written; everybody else gets
 * what is published, which may be older; nobody else gets anything.
 */
export function contentOf(
  listing: ListingRecord,
  { viewer, installation }: RequestContext,
): ObjectContent | null {
  const source = canReadDraft(viewer, listing) ? listing : isPublished(listing) ? listing.published : null;
  if (!source) return null;
  const title = source.title ?? '';
  const description = source.description ?? '';
  return {
    languageTag: source.languageTag,
    visibility: isPublished(listing) ? 'PUBLIC' : 'PRIVATE',
    url: listing.slug && `${installation.baseUrl}/listings/${listing.slug}`,
    slug: listing.slug,
    title,
    html: renderMarkdown(description),
    fields: { title, description },
  };
}
