import type { EventSubject } from '../../platform/events/toEvents.ts';
import { toObjectContent } from '../../platform/events/toObjectContent.ts';
import { contentOf } from './delivery/contentOf.ts';
import type { MediaRecord } from './model.ts';

/** Returns the content of files for other subgraphs: the alternative text, except for documents and evidence. */
export const describeMedia = async (media: readonly MediaRecord[]): Promise<EventSubject[]> =>
  media.map((record) => {
    const content = contentOf(record);
    return {
      object: { type: 'media' as const, id: record._id },
      contentVersion: record.version,
      content: content && toObjectContent(record.owner.id, content),
    };
  });
