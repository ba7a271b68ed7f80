import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { checkReference } from '../../media/checkReference.ts';
import { mediaLoader } from '../../media/mediaLoader.ts';
import { setMediaUsage } from '../../media/setMediaUsage.ts';
import { UserModel } from '../user/model.ts';

/** Returns the errors in an image, which must be the caller's own and ready. */
export async function checkAvatar(context: RequestContext, mediaId: string | null): Promise<FieldProblem[]> {
  if (mediaId === null) return [];
  const wanted = { ownerId: context.viewer.id, purpose: 'avatar', kind: 'image' } as const;
  return checkReference(await context.loader(mediaLoader).load(mediaId), wanted, '#/avatarMediaId');
}

/**
 * Updates the usage of images in the transaction that references another one.
 *
 * @throws AppError `precondition_failed`, `media_not_ready`
 */
export async function attachAvatar(
  context: RequestContext,
  mediaId: string | null,
  expectedVersion: number | null | undefined,
  session: ClientSession,
): Promise<void> {
  const { installationId, viewer } = context;
  const user = await scoped(UserModel, installationId).findOne(
    { _id: viewer.id },
    { projection: { avatarMediaId: 1, version: 1 }, session },
  );
  if (user) assertVersion(user.version, expectedVersion);
  const idsOf = (id: string | null | undefined) => (id ? [id] : []);
  const change = { before: idsOf(user?.avatarMediaId), after: idsOf(mediaId) };
  await setMediaUsage(context, { type: 'avatar', id: viewer.id }, change, session);
}

/** Removes a deleted image from the account. */
export async function detachAvatar(
  { installationId, platform }: RequestContext,
  mediaId: string,
  userId: string,
  session: ClientSession,
): Promise<void> {
  await scoped(UserModel, installationId).findOneAndUpdate(
    { _id: userId, avatarMediaId: mediaId },
    { $set: { avatarMediaId: null, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
    { session },
  );
}
