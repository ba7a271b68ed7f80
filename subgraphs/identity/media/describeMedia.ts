import type { EventSubject } from '../../platform/events/toEvents.ts';
import { toObjectContent } from '../../platform/events/toObjectContent.ts';
import type { MediaRecord } from './model.ts';

/** Files that readers are shown; papers and evidence are nobody's but their owner's. */
const shownPurposes: ReadonlySet<MediaRecord['purpose']> = new Set(['listing', 'avatar', 'logo']);

/** What other subgraphs are told of files: their one text. The bytes have addresses of their own. */
export const describeMedia = async (media: readonly MediaRecord[]): Promise<EventSubject[]> =>
  media.map(({ _id, owner, purpose, state, altText, version }) => ({
    object: { type: 'media' as const, id: _id },
    contentVersion: version,
    content: toObjectContent(owner.id, {
      languageTag: null,
      visibility: state === 'ready' && shownPurposes.has(purpose) ? 'PUBLIC' : 'PRIVATE',
      url: null,
      slug: null,
      title: altText ?? '',
      html: '',
      fields: altText === null ? {} : { altText },
    }),
  }));
