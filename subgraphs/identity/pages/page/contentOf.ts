import type { OwnedContent } from '../../../platform/federation/askOwner.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import type { PageRecord } from './model.ts';

/** Returns the texts of a page for analysis and translation. */
export function contentOf(
  { kind, slug, title, languageTag, status }: PageRecord,
  html: string,
  { baseUrl }: Pick<Installation, 'baseUrl'>,
): OwnedContent {
  return {
    languageTag,
    visibility: status === 'published' ? 'PUBLIC' : 'PRIVATE',
    url: urlOf(kind, slug, baseUrl),
    slug,
    title,
    html,
    fields: { title, html, slug },
  };
}

/** Returns the public URL of a page. */
export function urlOf(kind: PageRecord['kind'], slug: string, baseUrl: string): string {
  return `${baseUrl}/${kind}s/${slug}`;
}
