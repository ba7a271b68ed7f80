import type { ObjectChanged } from '../../../schema/events.ts';
import { consume } from '../../platform/events/consume.ts';
import { matchPublished } from './matchPublished.ts';

/** Brings listings that were published to the searches whose owners want to be told at once. */
export const savedSearchMatches = consume<ObjectChanged>({
  name: 'identity.saved-search-matches',
  types: ['object.created', 'object.published'],
  async handle(events, { platform }) {
    // One that is public from its beginning is not told to be published besides.
    const listings = events.filter(
      ({ object, payload }) => object.type === 'listing' && payload?.visibility === 'PUBLIC',
    );
    for (const [installationId, told] of Map.groupBy(listings, (event) => event.installationId))
      await matchPublished(
        { platform, installationId },
        told.map(({ object }) => object.id),
      );
  },
});
