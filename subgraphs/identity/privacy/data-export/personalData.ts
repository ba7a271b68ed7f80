import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { archiveKey } from './archiveOf.ts';
import { DataExportModel } from './model.ts';

const dataExports: ExportPart = {
  file: 'data-exports.json',
  title: 'Data exports',
  description: 'Your data exports, such as this one.',
  collections: ['data_exports'],
  async *records({ installationId, user }) {
    const own = scoped(DataExportModel, installationId);
    for await (const record of readAll(own, { userId: user._id }, 'createdAt')) yield toReadable(record);
  },
};

/**
 * Deletes the archives before their records: a record without an archive is found again, an archive without a record is
 * not.
 */
async function erase({ platform, installationId, userId }: ErasedUser): Promise<void> {
  const exports = scoped(DataExportModel, installationId);
  const own = await exports.find(
    { userId },
    { projection: { installationId: 1 }, sort: { createdAt: 1, _id: 1 } },
  );
  for (const record of own) await platform.storage.delete(archiveKey(record));
  await exports.deleteMany({ userId });
}

export const personalData: PersonalData = { exports: [dataExports], erase };
