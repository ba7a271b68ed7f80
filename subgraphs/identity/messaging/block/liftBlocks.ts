import type { ClientSession, QueryFilter } from 'mongoose';
import type { Platform } from '../../../platform/context/Platform.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { ConversationEntry } from '../conversation/describeConversations.ts';
import { ConversationModel, type ConversationRecord } from '../conversation/model.ts';

/** Returns the part of an update that publishes a block, or its removal, only to the blocker's own side. */
export function tellingSideOf(userId: string, context: { platform: Pick<Platform, 'now'> }) {
  const data: ConversationEntry = { to: { sideOf: userId } };
  return announce(context, 'conversation.updated', { data });
}

/** Removes a user from the blockers of conversations. Conversations without blockers are open again. */
export async function liftBlocks(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  blockerId: string,
  filter: QueryFilter<ConversationRecord>,
  options: { session?: ClientSession } = {},
): Promise<void> {
  const conversations = scoped(ConversationModel, installationId);
  const own = { $and: [filter, { blockedBy: blockerId }] };
  const ids = (await conversations.find(own, { ...options, projection: { _id: 1 } })).map(({ _id }) => _id);
  if (ids.length === 0) return;
  await conversations.updateMany(
    { _id: { $in: ids }, blockedBy: blockerId },
    {
      $pull: { blockedBy: blockerId },
      $inc: { version: 1 },
      $push: tellingSideOf(blockerId, { platform }),
    },
    options,
  );
  await conversations.updateMany(
    { _id: { $in: ids }, state: 'blocked', blockedBy: { $size: 0 } },
    { $set: { state: 'open' }, $inc: { version: 1 } },
    options,
  );
}
