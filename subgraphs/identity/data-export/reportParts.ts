import { scoped } from '../../platform/installation/scoped.ts';
import { NoticeModel } from '../notice/model.ts';
import { ReportModel } from '../report/model.ts';
import type { ExportPart } from './ExportPart.ts';
import { readAll } from './readAll.ts';
import { toReadable } from './toReadable.ts';

export const reports: ExportPart = {
  file: 'reports.json',
  title: 'Reports',
  description:
    'What you reported or appealed against, and what has come of it. Who reported you is told to nobody.',
  collections: ['reports'],
  async *records({ installationId, user }) {
    const own = scoped(ReportModel, installationId);
    for await (const report of readAll(own, { reporterId: user._id }, 'createdAt')) {
      // The evidence is somebody else's, and what the staff notes is its own affair.
      const { _id, target, reason, text, state, resolution, resolvedAt, createdAt } = report;
      const answer = resolution?.answer ?? null;
      yield toReadable({ _id, target, reason, text, state, answer, resolvedAt, createdAt });
    }
  },
};

export const notices: ExportPart = {
  file: 'notices.json',
  title: 'Notices',
  description: 'Notices that were given with your address, without an account.',
  collections: ['notices'],
  async *records({ installationId, user }) {
    const given = scoped(NoticeModel, installationId);
    const own = { emailNormalized: user.emailNormalized };
    for await (const notice of readAll(given, own, 'createdAt')) {
      // The id is the hash of the token.
      const { _id: _, ...shown } = notice;
      yield toReadable(shown);
    }
  },
};
