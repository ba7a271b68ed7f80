import type { Platform } from '../../../platform/context/Platform.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { toObjectContent } from '../../../platform/events/toObjectContent.ts';
import { findInstallation } from '../../kernel/announcement/findInstallation.ts';
import { contentOf } from './contentOf.ts';
import type { DealerRecord } from './model.ts';

/** Returns the content of dealers for other subgraphs. */
export function describeDealers(
  dealers: readonly DealerRecord[],
  platform: Platform,
): Promise<EventSubject[]> {
  return Promise.all(
    dealers.map(async (dealer) => {
      const installation = await findInstallation(dealer.installationId, platform);
      return {
        object: { type: 'dealer' as const, id: dealer._id },
        contentVersion: dealer.version,
        content: toObjectContent(dealer._id, contentOf(dealer, installation)),
      };
    }),
  );
}
