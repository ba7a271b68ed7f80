import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { ObjectRef } from '../translatable/ObjectRef.ts';
import {
  headProjection,
  type StoredTranslation,
  slotKeyOf,
  type TranslationHead,
  TranslationModel,
} from '../translation/model.ts';
import { bumpGroups } from './groupWrites.ts';
import { leaveGroup } from './leaveGroup.ts';
import { readMembers, type SystemWrite } from './membershipWrites.ts';

/** The words written for an object go, its slots are free, and the others of its groups stay together. */
export async function forgetObject(
  write: SystemWrite,
  { type, id }: ObjectRef,
  defaultCode: string,
): Promise<void> {
  const { context, session } = write;
  const records = await scoped(TranslationModel, context.installationId).find(
    { subjectId: id, objectType: type, $or: [{ objectGoneAt: null }, { groupId: { $ne: null } }] },
    { projection: headProjection, sort: { createdAt: 1, _id: 1 }, session },
  );
  const groupIds = [...new Set(records.flatMap(({ groupId }) => groupId ?? []))];
  await bumpGroups(write, groupIds);
  for (const record of records) await emptyRecord(write, record);
  for (const groupId of groupIds)
    await leaveGroup(
      write,
      groupId,
      {
        rest: await readMembers(write, groupId),
        left: records.filter((record) => record.groupId === groupId),
      },
      defaultCode,
    );
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
  { _id, language, objectGoneAt }: TranslationHead,
): Promise<void> {
  await scoped(TranslationModel, context.installationId).findOneAndUpdate(
    { _id },
    {
      $set: {
        ...nothingSaid,
        slotKey: slotKeyOf(_id, null, language),
        objectGoneAt: objectGoneAt ?? now,
        updatedAt: now,
        updatedBy: context.viewer.id,
      },
      $inc: { version: 1 },
      $push: announce(context, 'translation.changed'),
    },
    { session },
  );
}
