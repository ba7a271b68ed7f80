import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { ReportModel } from './model.ts';

const reports: ExportPart = {
  file: 'reports.json',
  title: 'Reports',
  description: 'Your reports and appeals, and their outcome. Users who reported you are not disclosed.',
  collections: ['reports'],
  async *records({ installationId, user }) {
    const own = scoped(ReportModel, installationId);
    for await (const report of readAll(own, { reporterId: user._id }, 'createdAt')) {
      // The evidence belongs to another person, and notes are for the staff alone.
      const { _id, target, reason, text, state, resolution, resolvedAt, createdAt } = report;
      const answer = resolution?.answer ?? null;
      yield toReadable({ _id, target, reason, text, state, answer, resolvedAt, createdAt });
    }
  },
};

/** Removes the reporter from reports of the erased user. A resolved report loses its text as well. */
async function erase({ installationId, userId }: ErasedUser): Promise<void> {
  const reports = scoped(ReportModel, installationId);
  const resolved = { resolvedAt: { $type: 'date' as const } };
  await reports.updateMany({ reporterId: userId, ...resolved }, { $set: { text: null } });
  await reports.updateMany({ reporterId: userId }, { $set: { reporterId: null }, $unset: { openKey: 1 } });
  // The decision in a report about the erased user is kept.
  await reports.updateMany({ ownerId: userId, ...resolved }, { $set: { evidence: null } });
}

export const personalData: PersonalData = { exports: [reports], erase };
