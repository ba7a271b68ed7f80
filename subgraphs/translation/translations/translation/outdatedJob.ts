import type { ObjectChanged } from '../../../../schema/events.ts';
import { consume } from '../../../platform/events/consume.ts';
import type { Job } from '../../../platform/jobs/Job.ts';
import { objectKeyOf } from '../../objects/ObjectRef.ts';
import { flagDerived } from '../../records/flagDerived.ts';

/**
 * Flags translations when the texts of their source change. A late event may flag a translation of newer texts; the
 * later event of those texts reverts it.
 */
export const outdatedJob: Job = consume<ObjectChanged>({
  name: 'translation.outdated',
  types: ['object.updated', 'object.published', 'object.unpublished'],
  async handle(events, { platform }) {
    // The last of several events of an object contains its complete state.
    const latest = new Map(events.map((event) => [`${event.installationId} ${event.object.id}`, event]));
    for (const { installationId, object, payload, at } of latest.values()) {
      // Documents and similar files publish no content.
      if (payload === null) continue;
      const objectKey = objectKeyOf({ type: object.type, id: object.id });
      await flagDerived({ installationId, platform, objectKey, digest: payload.contentDigest, at });
    }
  },
});
