import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { detachFile } from '../listings/listing/detachFile.ts';
import { DealerModel } from '../people/dealer/model.ts';
import { UserModel } from '../people/user/model.ts';
import type { MediaRecord, MediaUse } from './model.ts';

/** Takes a file out of the record that refers to it. */
type Detacher = (
  context: RequestContext,
  mediaId: string,
  id: string,
  session: ClientSession,
) => Promise<void>;

/** What a file can be taken out of by its owner's wish. Who comes to refer to files adds a line. */
const detachers: Partial<Record<MediaUse['type'], Detacher>> = {
  async avatar({ installationId, platform }, mediaId, userId, session) {
    await scoped(UserModel, installationId).findOneAndUpdate(
      { _id: userId, avatarMediaId: mediaId },
      { $set: { avatarMediaId: null, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
      { session },
    );
  },
  listing: detachFile,
  logo: detachFromDealer('logoMediaId'),
  banner: detachFromDealer('bannerMediaId'),
  verification: detachFromVerification,
};

function detachFromDealer(member: 'logoMediaId' | 'bannerMediaId'): Detacher {
  return async ({ installationId, platform }, mediaId, dealerId, session) => {
    await scoped(DealerModel, installationId).findOneAndUpdate(
      { _id: dealerId, [member]: mediaId },
      { $set: { [member]: null, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
      { session },
    );
  };
}

/** A paper leaves a draft. What was handed in, or stands behind an approval, is evidence. */
async function detachFromVerification(
  { installationId, platform }: RequestContext,
  mediaId: string,
  dealerId: string,
  session: ClientSession,
): Promise<void> {
  const dealers = scoped(DealerModel, installationId);
  const dealer = await dealers.findOne({ _id: dealerId }, { session });
  if (!dealer) return;
  const { verification, approval } = dealer;
  const isApproved = approval?.documents.some((document) => document.mediaId === mediaId) ?? false;
  const isNamed = verification?.documents.some((document) => document.mediaId === mediaId) ?? false;
  if (isApproved || (isNamed && verification?.state !== 'draft')) throw legalHold();
  await dealers.findOneAndUpdate(
    { _id: dealerId },
    {
      $pull: { 'verification.documents': { mediaId } },
      $set: { updatedAt: new Date(platform.now()) },
      $inc: { version: 1 },
    },
    { session },
  );
}

/**
 * Takes a file out of everything that refers to it, within the transaction that deletes it.
 *
 * @throws AppError `media_in_use` for a reference that stays, `legal_hold`
 */
export async function detach(
  context: RequestContext,
  { _id, usage }: MediaRecord,
  session: ClientSession,
): Promise<void> {
  for (const { type, id } of usage) {
    const detacher = detachers[type];
    if (!detacher) throw new AppError('media_in_use', `This file is part of a ${type} and stays there.`);
    await detacher(context, _id, id, session);
  }
}

/** 409 for a file that the law, or an open case, keeps. */
export function legalHold(): AppError {
  return new AppError('legal_hold', 'This file is evidence and must be kept.');
}
