import type { FeedEntry } from '../../../platform/events/model.ts';
import type { EventSubject } from '../../../platform/events/toEvents.ts';
import { toFeed, toParties } from '../../kernel/announcement/parties.ts';
import type { ImportRecord } from './model.ts';

/** Returns the progress of an import for an event. */
export function progressOf({
  dealerId,
  state,
  totalRows,
  counts,
}: Pick<ImportRecord, 'dealerId' | 'state' | 'totalRows' | 'counts'>): object {
  return { dealerId, state, totalRows, counts };
}

/** Returns imports for publication by the relay. */
export async function describeImports(imports: readonly ImportRecord[]): Promise<EventSubject[]> {
  return imports.map(({ _id, version, dealerId }) => ({
    object: { type: 'listing_import' as const, id: _id },
    contentVersion: version,
    content: null,
    feedOf: ({ data = {} }) =>
      toFeed(toParties({ type: 'dealer', id: dealerId }, 'members'), data as FeedEntry['data']),
  }));
}
