import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { legalHold } from '../../media/removal/detach.ts';
import { DealerModel } from '../dealer/model.ts';

/**
 * Removes a file that is deleted from a draft. A document that was submitted, or that an approval is based on, is
 * evidence.
 *
 * @throws AppError `legal_hold`
 */
export async function detachDocument(
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
