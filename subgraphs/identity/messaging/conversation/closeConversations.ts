import type { Platform } from '../../../platform/context/Platform.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import type { Job, JobRun } from '../../../platform/jobs/Job.ts';
import { readPages } from '../../../platform/pagination/readPages.ts';
import { dayMs, hourMs } from '../../../platform/time/durations.ts';
import { ListingModel } from '../../listings/listing/record/model.ts';
import { ConversationModel, type ConversationRecord } from './model.ts';

const quietMs = 14 * dayMs;
const batchSize = 200;

/**
 * Closes conversations about listings that were sold or archived at least 14 days ago, if they have been silent for 14
 * days as well.
 */
export const closeConversations: Job = {
  name: 'identity.conversation-closings',
  everyMs: 6 * hourMs,
  async run(run) {
    for (const { id } of run.platform.installations.all) await closeQuiet(id, run);
  },
};

async function closeQuiet(installationId: string, { platform, signal, assertHeld }: JobRun): Promise<void> {
  const conversations = scoped(ConversationModel, installationId);
  const before = new Date(platform.now() - quietMs);
  const quiet = { state: 'open', lastMessageAt: { $lte: before } } as const;
  for await (const batch of readPages(conversations, quiet, 'lastMessageAt', batchSize)) {
    if (signal.aborted) return;
    await assertHeld();
    await closeThoseOver(installationId, batch, before, platform);
  }
}

async function closeThoseOver(
  installationId: string,
  batch: readonly ConversationRecord[],
  before: Date,
  platform: Pick<Platform, 'now'>,
): Promise<void> {
  const listingIds = [...new Set(batch.flatMap(({ listingId }) => (listingId === null ? [] : [listingId])))];
  if (listingIds.length === 0) return;
  const over = await reads(ListingModel, installationId).find(
    { _id: { $in: listingIds }, state: { $in: ['sold', 'archived'] }, updatedAt: { $lte: before } },
    { projection: { _id: 1 } },
  );
  const isOver = new Set(over.map(({ _id }) => _id));
  const due = batch.filter(({ listingId }) => isOver.has(listingId ?? '')).map(({ _id }) => _id);
  if (due.length === 0) return;
  // A conversation with a newer message stays open.
  await scoped(ConversationModel, installationId).updateMany(
    { _id: { $in: due }, state: 'open', lastMessageAt: { $lte: before } },
    {
      $set: { state: 'closed', updatedAt: new Date(platform.now()) },
      $inc: { version: 1 },
      $push: announce({ platform }, 'conversation.closed'),
    },
  );
}
