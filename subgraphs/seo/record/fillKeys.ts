import { scoped } from '../../platform/installation/scoped.ts';
import type { Job } from '../../platform/jobs/Job.ts';
import { SeoRecordModel } from './model.ts';
import { toKeys } from './toKeys.ts';

const batchSize = 200;
const dayMs = 24 * 60 * 60 * 1000;

/** Records that were stored before there were keys, or that have some of them only. */
const incomplete = {
  $or: [
    { 'keys.keyphrase': { $exists: false } },
    { 'keys.seoTitle': { $exists: false } },
    { 'keys.metaDescription': { $exists: false } },
  ],
};

/**
 * Gives records of an earlier release what others find them by. A record that somebody changes at that moment is looked at
 * again; one that is complete is never written.
 */
export const fillKeysJob: Job = {
  name: 'seo.record-keys',
  everyMs: dayMs,
  async run({ platform, signal, assertHeld }) {
    for (const { id } of platform.installations.all) {
      const records = scoped(SeoRecordModel, id);
      for (let isDone = false; !isDone; ) {
        if (signal.aborted) return;
        await assertHeld();
        const found = await records.find(incomplete, {
          projection: { locale: 1, revision: 1, keyphrase: 1, seoTitle: 1, metaDescription: 1 },
          limit: batchSize,
        });
        await records.writeEach(
          found.map((record) => ({
            filter: { _id: record._id, revision: record.revision },
            update: { $set: { keys: toKeys(record, record.locale) } },
          })),
        );
        isDone = found.length < batchSize;
      }
    }
  },
};
