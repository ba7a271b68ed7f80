import type { OwnedContent } from '../../../platform/federation/askOwner.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { renderMarkdown } from '../../../platform/markdown/renderMarkdown.ts';
import type { DealerRecord } from './model.ts';

/** Returns the texts of a dealer for analysis and translation. Names are not translated. */
export function contentOf(
  { tradeName, slug, state, description }: DealerRecord,
  { baseUrl, locales }: Installation,
): OwnedContent {
  return {
    languageTag: locales[0] ?? null,
    visibility: state === 'active' ? 'PUBLIC' : 'PRIVATE',
    url: `${baseUrl}/dealers/${slug}`,
    slug,
    title: tradeName,
    html: renderMarkdown(description ?? ''),
    fields: { description: description ?? '' },
  };
}
