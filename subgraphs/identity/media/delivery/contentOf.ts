import type { OwnedContent } from '../../../platform/federation/askOwner.ts';
import type { MediaRecord } from '../model.ts';
import { isPublic } from '../policy.ts';
import { liveStates } from '../states.ts';
import { publicPurposes } from '../storageKeys.ts';

/**
 * Returns the text of a file for translation: its alternative text, which has no stated language. Null for documents,
 * evidence and attachments, whose texts are private, and for deleted files.
 */
export function contentOf(media: MediaRecord): OwnedContent | null {
  if (!publicPurposes.includes(media.purpose) || !liveStates.includes(media.state)) return null;
  const altText = media.altText ?? '';
  return {
    languageTag: null,
    visibility: isPublic(media) ? 'PUBLIC' : 'PRIVATE',
    url: null,
    slug: null,
    title: altText,
    html: '',
    fields: { altText },
  };
}
