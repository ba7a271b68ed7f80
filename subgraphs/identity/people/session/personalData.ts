import { scoped } from '../../../platform/installation/scoped.ts';
import type { ErasedUser, ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { endSessions } from './endSessions.ts';
import { SessionModel } from './model.ts';

const sessions: ExportPart = {
  file: 'sessions.json',
  title: 'Sessions',
  description: 'Time and place of your sign-ins. Sessions that ended long ago are not stored.',
  collections: ['sessions'],
  async *records({ installationId, user }) {
    const own = scoped(SessionModel, installationId);
    for await (const session of readAll(own, { userId: user._id }, 'createdAt')) yield toReadable(session);
  },
};

/** Erases the IP addresses of sessions. Ended sessions stay until they expire. */
async function erase({ platform, installationId, userId }: ErasedUser): Promise<void> {
  await endSessions({ installationId, platform }, { userId }, 'deleted');
  await scoped(SessionModel, installationId).updateMany(
    { userId, $or: [{ userAgent: { $ne: '' } }, { ipPrefix: { $ne: '' } }] },
    { $set: { userAgent: '', ipPrefix: '' } },
  );
}

export const personalData: PersonalData = { exports: [sessions], erase };
