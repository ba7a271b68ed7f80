import type { ObjectChanged } from '../../../schema/events.ts';
import { consume } from '../../platform/events/consume.ts';
import { matchPublished } from './matchPublished.ts';

/** Brings listings that were published to the searches whose owners want to be told at once. */
export const savedSearchMatches = consume<ObjectChanged>({
  name: 'identity.saved-search-matches',
  types: ['object.published'],
  async handle(events, { platform }) {
    const listings = events.filter(({ object }) => object.type === 'listing');
    for (const [installationId, told] of Map.groupBy(listings, (event) => event.installationId))
      await matchPublished(
        { platform, installationId },
        told.map(({ object }) => object.id),
      );
  },
});
