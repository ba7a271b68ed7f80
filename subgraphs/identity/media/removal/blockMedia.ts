import type { ClientSession } from 'mongoose';
import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields, notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { type Act, performAct } from '../../../platform/mongo/performAct.ts';
import type { BlockMediaInput } from '../../identity.generated.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { blockId, MediaBlockModel } from '../blockModel.ts';
import { MediaModel, type MediaRecord } from '../model.ts';
import { liveStates, type MediaState, nextState } from '../states.ts';
import { carryOutBlock, updateDeliveries } from './carryOutBlock.ts';

/** Blocks or unblocks a file, other files with the same bytes, and later uploads of them. */
export async function blockMedia(
  input: BlockMediaInput,
  context: RequestContext,
): Promise<{ media: MediaRecord }> {
  return { media: await performAct(mediaBlock(input, context)) };
}

/** Returns the decision about a file, as part of a larger decision. */
export function mediaBlock(input: BlockMediaInput, context: RequestContext): Act<MediaRecord> {
  const reason = input.reason?.trim() || null;
  const change = input.unblock === true ? unblock : block;
  return {
    async prepare() {
      const problems = reason === null ? [] : [...checkLine(reason, '#/reason', { maximum: 500 })];
      if (problems.length > 0) throw invalidFields(problems);
    },
    within: (session) => change({ ...input, reason }, context, session),
    async settle({ state, sha256 }) {
      await (state === 'blocked' ? carryOutBlock : updateDeliveries)(context, sha256 ?? '');
    },
  };
}

type Decision = BlockMediaInput & { reason: string | null };

async function load(
  { mediaId, expectedVersion }: Decision,
  { installationId }: RequestContext,
  session: ClientSession,
): Promise<MediaRecord> {
  const record = await scoped(MediaModel, installationId).findOne({ _id: mediaId }, { session });
  if (!record || !liveStates.includes(record.state)) throw notFound('The file');
  assertVersion(record.version, expectedVersion);
  return record;
}

async function block(input: Decision, context: RequestContext, session: ClientSession): Promise<MediaRecord> {
  const { installationId, viewer, platform } = context;
  const before = await load(input, context, session);
  const state = nextState(before.state, 'blockMedia', 'blocked');
  const { mediaId, reason } = input;
  const sha256 = before.sha256 ?? '';
  const at = new Date(platform.now());
  const decision = { by: viewer.id, at, reason };
  // The first write. Of concurrent decisions about this file, all but one restart and find it decided.
  const record = await write(
    context,
    before,
    { $set: { state, block: decision, stateAt: at, updatedAt: at } },
    session,
  );
  await scoped(MediaBlockModel, installationId)
    .findOneAndUpdate(
      { _id: blockId(installationId, sha256) },
      { $set: { sha256, mediaId, ...decision, settled: false } },
      { session, upsert: true },
    )
    .catch((error: unknown) => {
      // Another file with the same bytes is being blocked concurrently.
      throw isDuplicateKey(error) ? concurrentUpdate('file') : error;
    });
  await recordAudit(
    context,
    { action: 'blockMedia', target: { type: 'media', id: mediaId }, reason },
    { session },
  );
  return record;
}

/** Unblocks every file with these bytes. */
async function unblock(
  input: Decision,
  context: RequestContext,
  session: ClientSession,
): Promise<MediaRecord> {
  const { installationId, platform } = context;
  const before = await load(input, context, session);
  const state = nextState(before.state, 'unblockMedia', 'unblocked');
  const { mediaId, reason } = input;
  const sha256 = before.sha256 ?? '';
  const at = new Date(platform.now());
  const $set = { state, block: null, stateAt: at, updatedAt: at };
  await scoped(MediaBlockModel, installationId).deleteMany(
    { _id: blockId(installationId, sha256) },
    { session },
  );
  await recordAudit(
    context,
    { action: 'unblockMedia', target: { type: 'media', id: mediaId }, reason },
    { session },
  );
  const record = await write(context, before, { $set }, session);
  await scoped(MediaModel, installationId).updateMany(
    { sha256, state: 'blocked' },
    { $set, $inc: { version: 1 }, $push: announceTurn(context, state) },
    { session },
  );
  return record;
}

/** Publishes the change: a blocked file is hidden, and an unblocked one is visible to its former readers. */
function announceTurn(place: Pick<RequestContext, 'platform'>, state: MediaState) {
  return announce(place, state === 'blocked' ? 'object.unpublished' : 'object.published');
}

async function write(
  place: Pick<RequestContext, 'platform'>,
  { _id, installationId, state }: MediaRecord,
  change: { $set: Partial<MediaRecord> & Pick<MediaRecord, 'state'> },
  session: ClientSession,
): Promise<MediaRecord> {
  const record = await scoped(MediaModel, installationId).findOneAndUpdate(
    { _id, state },
    { ...change, $inc: { version: 1 }, $push: announceTurn(place, change.$set.state) },
    { session },
  );
  if (!record) throw concurrentUpdate('file');
  return record;
}
