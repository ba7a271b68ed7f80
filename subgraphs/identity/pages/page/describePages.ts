import type { Platform } from '../../../platform/context/Platform.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { toObjectContent } from '../../../platform/events/toObjectContent.ts';
import { findInstallation } from '../../kernel/announcement/findInstallation.ts';
import { contentOf } from './contentOf.ts';
import type { PageRecord } from './model.ts';

/** Returns the content of pages for other subgraphs. */
export function describePages(pages: readonly PageRecord[], platform: Platform): Promise<EventSubject[]> {
  return Promise.all(
    pages.map(async (page) => {
      const installation = await findInstallation(page.installationId, platform);
      return {
        object: { type: 'page' as const, id: page._id },
        contentVersion: page.version,
        content: toObjectContent(page.ownerId, contentOf(page, page.html, installation)),
      };
    }),
  );
}
