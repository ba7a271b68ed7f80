import { html } from '../../../../site/html.ts';
import type { ListingCard } from './operations.ts';
import type { PageContext } from './PageContext.ts';

/** A page of the catalogue. */
interface FoundListings {
  readonly totalCountText: string | null;
  readonly nodes: readonly ListingCard[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Returns a page of the published listings. */
export function listingsPage(
  context: PageContext,
  { q, found }: { q: string | null; found: FoundListings },
): string {
  const { labels } = context;
  const { nodes, pageInfo, totalCountText } = found;
  const { endCursor, hasNextPage } = pageInfo;
  const next = new URLSearchParams({
    ...(q !== null && { q }),
    ...(endCursor !== null && { after: endCursor }),
  });
  const title = q === null ? labels.listings : `${labels.listings}: ${q}`;
  return context.page({
    title,
    summary: `${totalCountText ?? ''} ${labels.results}`.trim(),
    url: context.absolute('/listings'),
    content: html`<h1>${title}</h1>
<p class="quiet">${totalCountText ?? ''} ${labels.results}</p>
${context.cards(nodes)}
${hasNextPage ? html`<p><a rel="next" href="/listings?${next.toString()}">${labels.more}</a></p>` : ''}`,
  });
}
