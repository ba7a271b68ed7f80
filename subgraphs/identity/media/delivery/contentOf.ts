import type { OwnedContent } from '../../../platform/federation/askOwner.ts';
import type { MediaRecord } from '../model.ts';
import { isPublic } from '../policy.ts';
import { liveStates } from '../states.ts';
import { publicPurposes } from '../storageKeys.ts';

/**
 * The words of a file for translation: what is read to those who do not see it. Nobody says in which language they are.
 * Null for papers, evidence and attachments, whose words are nobody else's, and for what is deleted.
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
