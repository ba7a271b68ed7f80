import type { ClientSession } from 'mongoose';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { DeleteMediaInput } from '../../identity.generated.ts';
import { assertOwnerMayChange } from '../assertOwnerMayChange.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import { liveStates, nextState } from '../states.ts';
import { detach, legalHold } from './detach.ts';
import { updateDelivery } from './updateDelivery.ts';

/** Deletes a file. The record and its bytes are hidden for 30 days, after which a job removes them. */
export async function deleteMedia(input: DeleteMediaInput, context: RequestContext): Promise<string> {
  const { mediaId } = input;
  const { installationId, platform } = context;
  await inTransaction((session) => remove(input, context, session));
  await updateDelivery(platform, { installationId, _id: mediaId });
  return mediaId;
}

async function remove(
  { mediaId, detach: takesOut, expectedVersion }: DeleteMediaInput,
  context: RequestContext,
  session: ClientSession,
): Promise<void> {
  const media = scoped(MediaModel, context.installationId);
  const before = await media.findOne({ _id: mediaId }, { session });
  if (!before || !liveStates.includes(before.state)) throw notFound('The file');
  await assertOwnerMayChange(before, context);
  assertVersion(before.version, expectedVersion);
  const state = nextState(before.state, 'deleteMedia', 'deleted');
  if (before.legalHolds.length > 0) throw legalHold();
  if (before.usage.length > 0) {
    if (takesOut !== true) throw inUse(before);
    await detach(context, before, session);
  }
  const at = new Date(context.platform.now());
  await media.findOneAndUpdate(
    { _id: mediaId },
    {
      $set: { state, usage: [], stateAt: at, updatedAt: at },
      $inc: { version: 1 },
      $push: announce(context, 'object.deleted'),
    },
    { session },
  );
}

function inUse({ usage }: MediaRecord): AppError {
  const places = [...new Set(usage.map(({ type }) => type))].join(', ');
  return new AppError('media_in_use', `This file is in use (${places}). Detach it first.`);
}
