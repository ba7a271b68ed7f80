import { scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import type { ExportPart } from '../../kernel/personal-data/PersonalData.ts';
import { archiveKey } from './archiveOf.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';
import { produceExport } from './produceExport.ts';
import { dataExportsJob } from './requestMyDataExport.ts';
import { sourcesOf } from './states.ts';

/** Creates requested archives one after the other, and removes those that are older than 7 days. */
export function dataExports(parts: readonly ExportPart[]): Job {
  return {
    name: dataExportsJob,
    everyMs: 60_000,
    async run(run) {
      const failures: unknown[] = [];
      for (const { id } of run.platform.installations.all) {
        const open = { state: { $in: ['queued', 'running'] as const } };
        await forEachExport(run, id, open, (record) => produceExport(run, record, parts), failures);
        const over = { state: 'ready' as const, expiresAt: { $lte: new Date(run.platform.now()) } };
        await forEachExport(run, id, over, (record) => removeArchive(run, record), failures);
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} exports failed.`);
    },
  };
}

const pageSize = 50;

/** Processes exports. A failed export does not prevent the others. */
async function forEachExport(
  { signal, assertHeld }: JobRun,
  installationId: string,
  filter: object,
  work: (record: DataExportRecord) => Promise<void>,
  failures: unknown[],
): Promise<void> {
  const exports = scoped(DataExportModel, installationId);
  for (let after = ''; ; ) {
    const page = await exports.find(
      { $and: [filter, { _id: { $gt: after } }] },
      { sort: { _id: 1 }, limit: pageSize },
    );
    for (const record of page) {
      if (signal.aborted) return;
      await assertHeld();
      await work(record).catch((error: unknown) => failures.push(error));
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
  }
}

/** Removes the archive before its record is updated. After a crash in between, the removal is repeated. */
async function removeArchive({ platform }: JobRun, record: DataExportRecord): Promise<void> {
  await platform.storage.delete(archiveKey(record));
  await scoped(DataExportModel, record.installationId).findOneAndUpdate(
    { _id: record._id, state: { $in: sourcesOf('expired', 'time') } },
    { $set: { state: 'expired' } },
  );
}
