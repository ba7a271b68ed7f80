import type { ClientSession } from 'mongoose';
import type { ObjectDeleted, UserStateChanged } from '../../../schema/events.ts';
import { consume } from '../../platform/events/consume.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { JobRun } from '../../platform/jobs/Job.ts';
import { LanguageSettingsModel } from '../language/model.ts';
import {
  headProjection,
  type StoredTranslation,
  slotKeyOf,
  type TranslationHead,
  TranslationModel,
} from '../translation/model.ts';
import { bumpGroups } from './groupWrites.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { leaveGroup } from './leaveGroup.ts';
import { readMembers, type SystemWrite } from './membershipWrites.ts';

const name = 'translation.erasures';

/**
 * Keeps nothing of objects that are gone but that there were translations, and hands the work of people who are gone
 * back. Both find by themselves what is left to do.
 */
export const erasuresJob = consume<ObjectDeleted | UserStateChanged>({
  name,
  types: ['object.deleted', 'user.state_changed'],
  async handle(events, run) {
    for (const event of events) {
      if (event.type === 'object.deleted') await forgetObject(event, run);
      else if (event.payload.to === 'deleted') await unassign(event, run);
    }
  },
});

/** The words written for the object go, its slots are free, and the others of its groups stay together. */
async function forgetObject({ installationId, object }: ObjectDeleted, { platform }: JobRun): Promise<void> {
  const now = new Date(platform.now());
  const defaultCode = await findDefaultCode(installationId);
  await inRelationTransaction(async (session: ClientSession) => {
    const write: SystemWrite = { context: { installationId, viewer: { id: name } }, session, now };
    const records = await scoped(TranslationModel, installationId).find(
      { subjectId: object.id, objectType: object.type as TranslationHead['objectType'], objectGoneAt: null },
      { projection: headProjection, sort: { createdAt: 1, _id: 1 }, session },
    );
    const groupIds = [...new Set(records.flatMap(({ groupId }) => groupId ?? []))];
    await bumpGroups(write, groupIds);
    for (const record of records) await emptyRecord(write, record);
    for (const groupId of groupIds)
      await leaveGroup(write, groupId, await readMembers(write, groupId), defaultCode);
  });
}

/** What is left says that there was a translation, and in which language. */
const nothingSaid = {
  groupId: null,
  isSource: false,
  status: 'archived',
  liveSince: null,
  publishedAt: null,
  derivedFrom: null,
  contentDigest: null,
  assigneeId: null,
  note: null,
  dueAt: null,
  fields: {},
  publishedFields: null,
  history: [],
} as const satisfies Partial<StoredTranslation>;

async function emptyRecord(
  { context, session, now }: SystemWrite,
  { _id, language }: TranslationHead,
): Promise<void> {
  await scoped(TranslationModel, context.installationId).findOneAndUpdate(
    { _id },
    {
      $set: {
        ...nothingSaid,
        slotKey: slotKeyOf(_id, null, language),
        objectGoneAt: now,
        updatedAt: now,
        updatedBy: context.viewer.id,
      },
      $inc: { version: 1 },
    },
    { session },
  );
}

async function findDefaultCode(installationId: string): Promise<string> {
  const settings = await scoped(LanguageSettingsModel, installationId).findOne(
    { _id: installationId },
    { projection: { defaultCode: 1 } },
  );
  return settings?.defaultCode ?? '';
}

/** Nobody waits for the work of somebody who is gone. */
async function unassign({ installationId, object }: UserStateChanged, { platform }: JobRun): Promise<void> {
  await scoped(TranslationModel, installationId).updateMany(
    { assigneeId: object.id },
    {
      $set: { assigneeId: null, updatedAt: new Date(platform.now()), updatedBy: name },
      $inc: { version: 1 },
    },
  );
}
