import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import type { OwnedContent } from '../../../../platform/federation/askOwner.ts';
import type { Installation } from '../../../../platform/installation/Installation.ts';
import { renderMarkdown } from '../../../../platform/markdown/renderMarkdown.ts';
import { wordsOf } from '../../../kernel/object-content/wordsOf.ts';
import { isShown } from './isShown.ts';
import type { ListingRecord, MaterialContent } from './model.ts';
import { canReadDraft } from './policy.ts';

/** The texts of an object; of a listing with its offer, if that is selected. */
export interface ObjectContentParent extends Omit<OwnedContent, 'images' | 'product'> {
  offered?: Offered;
}

/** A listing, and which of its contents its caller reads. */
export interface Offered {
  listing: ListingRecord;
  source: MaterialContent;
}

/**
 * Returns the texts of a listing for analysis and translation. Owner and staff get the working copy. Other callers get
 * the published copy, which may be older, or nothing. Texts of a reference replace either.
 */
export async function contentOf(
  listing: ListingRecord,
  context: RequestContext,
): Promise<ObjectContentParent | null> {
  const { viewer, installation } = context;
  const shown = await isShown(listing, context);
  const source = canReadDraft(viewer, listing) ? listing : shown ? listing.published : null;
  if (!source) return null;
  const words = wordsOf(listing);
  const { title = null, description = null } = words ?? {};
  const said = words ? { ...source, title, description } : source;
  return Object.assign(toContent(said, { listing, shown, installation }), { offered: { listing, source } });
}

/** Returns the texts of the draft or of the published content. */
export function toContent(
  source: MaterialContent,
  { listing, shown, installation }: { listing: ListingRecord; shown: boolean; installation: Installation },
): OwnedContent {
  const title = source.title ?? '';
  const description = source.description ?? '';
  return {
    languageTag: source.languageTag,
    visibility: shown ? 'PUBLIC' : 'PRIVATE',
    url: listing.slug && `${installation.baseUrl}/listings/${listing.slug}`,
    slug: listing.slug,
    title,
    // Computed only if selected, because it dominates the cost for a thousand listings.
    get html() {
      return renderMarkdown(description);
    },
    fields: { title, description },
  };
}
