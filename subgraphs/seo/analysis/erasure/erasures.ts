import type { ObjectDeleted } from '../../../../schema/events.ts';
import { consume } from '../../../platform/events/consume.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { forgetRecords } from '../../pages/record/forgetRecords.ts';
import { SeoRecordModel } from '../../pages/record/model.ts';
import { DismissalModel } from '../dismissal/model.ts';
import { SnapshotModel } from '../snapshot/model.ts';

/**
 * Removes the SEO fields and analyses of deleted objects: both quote their texts. The analyses first: without the
 * fields they could not be found.
 */
const erasuresJob = consume<ObjectDeleted>({
  name: 'seo.erasures',
  types: ['object.deleted'],
  async handle(events) {
    for (const [installationId, own] of Map.groupBy(events, (event) => event.installationId)) {
      const objects = {
        objectType: { $in: ['listing', 'dealer', 'page'] as const },
        objectId: { $in: own.map(({ object }) => object.id) },
      };
      await scoped(DismissalModel, installationId).deleteMany(objects);
      const gone = await reads(SeoRecordModel, installationId).find(objects, {
        projection: { _id: 1 },
        sort: { _id: 1 },
      });
      const ids = gone.map(({ _id }) => _id);
      await scoped(SnapshotModel, installationId).deleteMany({ recordId: { $in: ids } });
      await forgetRecords(installationId, ids);
    }
  },
});

/** Dismissals of deleted objects. */
export const erasure: Resource = { resolvers: {}, jobs: [erasuresJob] };
