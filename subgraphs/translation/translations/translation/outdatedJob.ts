import type { ObjectChanged } from '../../../../schema/events.ts';
import { consume } from '../../../platform/events/consume.ts';
import type { Job } from '../../../platform/jobs/Job.ts';
import { objectKeyOf } from '../../objects/ObjectRef.ts';
import { flagDerived } from '../../records/flagDerived.ts';

/**
 * Flags translations when the texts of their source change. An event that comes late may flag what was made from newer
 * texts; the event of those is on its way and takes that back.
 */
export const outdatedJob: Job = consume<ObjectChanged>({
  name: 'translation.outdated',
  types: ['object.updated', 'object.published', 'object.unpublished'],
  async handle(events, { platform }) {
    // The last of several events of an object contains everything.
    const latest = new Map(events.map((event) => [`${event.installationId} ${event.object.id}`, event]));
    for (const { installationId, object, payload, at } of latest.values()) {
      // No events are published about documents and the like.
      if (payload === null) continue;
      const objectKey = objectKeyOf({ type: object.type, id: object.id });
      await flagDerived({ installationId, platform, objectKey, digest: payload.contentDigest, at });
    }
  },
});
