import type { Platform } from '../../platform/context/Platform.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { AccountTokenModel } from '../account-token/model.ts';
import { CatalogListingModel } from '../catalog/model.ts';
import { ConsentModel } from '../consent/model.ts';
import { archiveKey } from '../data-export/archiveOf.ts';
import { DataExportModel } from '../data-export/model.ts';
import { FavoriteModel } from '../favorite/model.ts';
import { ListingModel } from '../listing/model.ts';
import { MailModel } from '../mail/model.ts';
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
  deleteExports,
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
    const filter = { _id: { $in: batch.map(({ _id }) => _id) } };
    await inTransaction(async (session) => {
      await listings.updateMany(
        filter,
        {
          $set: {
            state: 'archived',
            stateReason: null,
            title: null,
            description: null,
            attributes: {},
            location: null,
            contact: { showPhone: false, assigneeUserId: null },
            published: null,
            slug: null,
            words: [],
            updatedAt: new Date(platform.now()),
          },
          $unset: { stockNumber: 1 },
          $inc: { version: 1 },
        },
        { session },
      );
      await scoped(CatalogListingModel, installationId).deleteMany(filter, { session });
    });
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
