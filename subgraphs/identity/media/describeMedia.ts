import type { EventSubject } from '../../platform/events/toEvents.ts';
import { toObjectContent } from '../../platform/events/toObjectContent.ts';
import { contentOf } from './delivery/contentOf.ts';
import type { MediaRecord } from './model.ts';

/** What other subgraphs are told of files: their one text, and of papers and evidence nothing at all. */
export const describeMedia = async (media: readonly MediaRecord[]): Promise<EventSubject[]> =>
  media.map((record) => {
    const content = contentOf(record);
    return {
      object: { type: 'media' as const, id: record._id },
      contentVersion: record.version,
      content: content && toObjectContent(record.owner.id, content),
    };
  });
