import type { Platform } from '../../platform/context/Platform.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { AccountTokenModel } from '../account-token/model.ts';
import { BlockModel } from '../block/model.ts';
import { ConsentModel } from '../consent/model.ts';
import { ConversationModel } from '../conversation/model.ts';
import { archiveKey } from '../data-export/archiveOf.ts';
import { DataExportModel } from '../data-export/model.ts';
import { FavoriteModel } from '../favorite/model.ts';
import { type BatchChanges, changeListings } from '../listing/changeListings.ts';
import { ListingModel } from '../listing/model.ts';
import { MailModel } from '../mail/model.ts';
import { deleteFilesOf } from '../media/deleteFilesOf.ts';
import { MessageModel } from '../message/model.ts';
import { forgetPayer } from '../payment-method/forgetPayer.ts';
import { ReportModel } from '../report/model.ts';
import { SavedSearchModel } from '../saved-search/model.ts';
import { endSessions } from '../session/endSessions.ts';
import { SessionModel } from '../session/model.ts';

/** An account that is gone, and where it was. */
export interface ErasedUser {
  platform: Platform;
  installationId: string;
  userId: string;
}

/**
 * What is cleared away behind an account that was erased. Every step finds by itself what is left to do, so that it can
 * be cut short and repeated. A resource that stores something about a person adds a line.
 */
export const erasureSteps: readonly ((user: ErasedUser) => Promise<void>)[] = [
  endAllSessions,
  archivePrivateListings,
  dropAddresses,
  forgetConsents,
  forgetFavorites,
  forgetSearches,
  forgetBlocks,
  silenceMessages,
  deleteExports,
  detachReports,
  forgetPayer,
  deleteFilesOf,
];

/** They stay until they would have ended anyway, without saying from where they were used. */
async function endAllSessions({ platform, installationId, userId }: ErasedUser): Promise<void> {
  await endSessions({ installationId, platform }, { userId }, 'deleted');
  await scoped(SessionModel, installationId).updateMany(
    { userId, $or: [{ userAgent: { $ne: '' } }, { ipPrefix: { $ne: '' } }] },
    { $set: { userAgent: '', ipPrefix: '' } },
  );
}

async function forgetConsents({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(ConsentModel, installationId).deleteMany({ userId });
}

async function forgetFavorites({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(FavoriteModel, installationId).deleteMany({ userId });
}

async function forgetSearches({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(SavedSearchModel, installationId).deleteMany({ userId });
}

async function forgetBlocks({ installationId, userId }: ErasedUser): Promise<void> {
  await scoped(BlockModel, installationId).deleteMany({ $or: [{ userId }, { blockedUserId: userId }] });
}

/** The other side keeps its own words, and that somebody wrote; what he wrote and sold says nothing any more. */
async function silenceMessages({ platform, installationId, userId }: ErasedUser): Promise<void> {
  const endedAt = new Date(platform.now());
  await scoped(MessageModel, installationId).updateMany(
    { authorId: userId, $or: [{ text: { $ne: null } }, { mediaIds: { $ne: [] } }] },
    { $set: { state: 'removed', text: null, mediaIds: [], endedAt } },
  );
  const conversations = scoped(ConversationModel, installationId);
  await conversations.updateMany({ sellerId: userId }, { $set: { subject: null } });
  await conversations.updateMany(
    { $or: [{ sellerId: userId }, { buyerUserId: userId }] },
    { $set: { lastMessagePreview: null } },
  );
}

/** What he reported goes on without him; what was resolved, without his words. */
async function detachReports({ installationId, userId }: ErasedUser): Promise<void> {
  const reports = scoped(ReportModel, installationId);
  const resolved = { resolvedAt: { $type: 'date' as const } };
  await reports.updateMany({ reporterId: userId, ...resolved }, { $set: { text: null } });
  await reports.updateMany({ reporterId: userId }, { $set: { reporterId: null }, $unset: { openKey: 1 } });
  // Of what was reported about him the record of the decision stays.
  await reports.updateMany({ ownerId: userId, ...resolved }, { $set: { evidence: null } });
}

/** The bytes first: a record without them is found again, bytes without a record are not. */
async function deleteExports({ platform, installationId, userId }: ErasedUser): Promise<void> {
  const exports = scoped(DataExportModel, installationId);
  const own = await exports.find(
    { userId },
    { projection: { installationId: 1 }, sort: { createdAt: 1, _id: 1 } },
  );
  for (const record of own) await platform.storage.delete(archiveKey(record));
  await exports.deleteMany({ userId });
}

const batchSize = 100;

/** A listing that says no more than that it was. */
const nothingSaid: BatchChanges = {
  state: 'archived',
  stateReason: null,
  title: null,
  description: null,
  attributes: {},
  location: null,
  contact: { showPhone: false, assigneeUserId: null },
  published: null,
  slug: null,
  reservation: null,
  words: [],
};

/** Out of the catalogue at once; what remains is that there was a listing, in its category and at its price. */
async function archivePrivateListings({ platform, installationId, userId }: ErasedUser): Promise<void> {
  const listings = scoped(ListingModel, installationId);
  const left = {
    'owner.id': userId,
    $or: [
      { state: { $ne: 'archived' as const } },
      { title: { $ne: null } },
      { description: { $ne: null } },
      { location: { $ne: null } },
    ],
  };
  const findBatch = () =>
    listings.find(left, { projection: { _id: 1 }, sort: { createdAt: -1, _id: -1 }, limit: batchSize });
  for (let batch = await findBatch(); batch.length > 0; batch = await findBatch()) {
    const ids = batch.map(({ _id }) => _id);
    const at = new Date(platform.now());
    await inTransaction((session) =>
      changeListings({ installationId, ids, at, session }, nothingSaid, {
        clears: { stockNumber: 1 },
        gone: true,
      }),
    );
  }
}

/** Addresses that he wanted to change to, with the mails that went there. */
async function dropAddresses({ installationId, userId }: ErasedUser): Promise<void> {
  const tokens = scoped(AccountTokenModel, installationId);
  const changes = await tokens.find({ userId, purpose: 'change_email' }, { projection: { newEmail: 1 } });
  const asked = changes.flatMap(({ newEmail }) => newEmail ?? []);
  await scoped(MailModel, installationId).deleteMany({ to: { $in: asked }, template: 'confirmNewEmail' });
  await tokens.deleteMany({ userId });
}
