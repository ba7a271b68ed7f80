import { announce, firstOutbox } from '../../platform/events/outbox.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { ObjectType } from '../translatable/ObjectRef.ts';
import type { TranslationHead } from '../translation/model.ts';
import { StaleMembership } from './inRelationTransaction.ts';
import type { SystemWrite } from './membershipWrites.ts';
import { RelationGroupModel, type StoredGroup } from './model.ts';
import { relationNotFound } from './refuseLink.ts';

/**
 * Raises the version of the groups, in the order of their ids, so that no two transactions wait for each other.
 *
 * @returns the groups as they are now, by id
 * @throws StaleMembership when one has been closed meanwhile
 */
export async function bumpGroups(
  { context, session, now }: SystemWrite,
  ids: readonly (string | null)[],
): Promise<Map<string, StoredGroup>> {
  const groups = scoped(RelationGroupModel, context.installationId);
  const bumped = new Map<string, StoredGroup>();
  for (const id of [...new Set(ids.filter((id) => id !== null))].sort()) {
    const group = await groups.findOneAndUpdate(
      { _id: id, closed: false },
      { $inc: { version: 1 }, $set: { updatedAt: now } },
      { session },
    );
    if (!group) throw new StaleMembership();
    bumped.set(id, group);
  }
  return bumped;
}

/**
 * The open group that an id leads to, as the transaction sees it: itself, or the one that it was merged into.
 *
 * @throws AppError `relation_not_found`
 */
export async function readOpenGroup({ context, session }: SystemWrite, id: string): Promise<StoredGroup> {
  const groups = scoped(RelationGroupModel, context.installationId);
  const named = await groups.findOne({ _id: id }, { session });
  if (named && !named.closed) return named;
  const survivor = named?.mergedInto ?? null;
  const group =
    survivor === null ? null : await groups.findOne({ _id: survivor, closed: false }, { session });
  if (!group) throw relationNotFound();
  return group;
}

/** A new group of these objects at version 1; one whose record is lost keeps the id that its members name. */
export async function insertGroup(
  { context, session, now }: SystemWrite,
  objectType: ObjectType,
  objectKeys: readonly string[],
  id = newId('group'),
): Promise<StoredGroup> {
  return scoped(RelationGroupModel, context.installationId).insert(
    {
      _id: id,
      objectType,
      version: 1,
      closed: false,
      mergedInto: null,
      createdAt: now,
      updatedAt: now,
      ...firstOutbox(context, 'relation.changed', { data: { objectKeys } }),
    },
    { session },
  );
}

/**
 * Tells, in the transaction that changes a group, which objects have others beside them from now on: those that are in
 * it, and those that have left.
 */
export async function announceGroup(
  { context, session }: SystemWrite,
  id: string,
  concerned: readonly Pick<TranslationHead, 'objectKey'>[],
): Promise<void> {
  await scoped(RelationGroupModel, context.installationId).findOneAndUpdate(
    { _id: id },
    { $push: changeOf(context, concerned) },
    { session },
  );
}

function changeOf(context: SystemWrite['context'], concerned: readonly Pick<TranslationHead, 'objectKey'>[]) {
  const objectKeys = [...new Set(concerned.map(({ objectKey }) => objectKey))];
  return announce(context, 'relation.changed', { data: { objectKeys } });
}

/** Nobody is in it any more, and nobody joins it again; its id may lead to another group. */
export async function closeGroup(
  { context, session }: SystemWrite,
  id: string,
  left: readonly Pick<TranslationHead, 'objectKey'>[],
  mergedInto: string | null = null,
): Promise<void> {
  await scoped(RelationGroupModel, context.installationId).findOneAndUpdate(
    { _id: id },
    { $set: { closed: true, mergedInto }, $push: changeOf(context, left) },
    { session },
  );
}

/** Groups that were merged into one that is merged itself lead to the last one, so that every id is one step away. */
export async function movePointers(
  { context, session }: SystemWrite,
  fromId: string,
  intoId: string,
): Promise<void> {
  await scoped(RelationGroupModel, context.installationId).updateMany(
    { mergedInto: fromId },
    { $set: { mergedInto: intoId } },
    { session },
  );
}

/** Raises the version of a group, and opens it if it is closed: its members are still there. */
export async function openGroup(
  { context, session, now }: SystemWrite,
  id: string,
  concerned: readonly Pick<TranslationHead, 'objectKey'>[],
): Promise<void> {
  await scoped(RelationGroupModel, context.installationId).findOneAndUpdate(
    { _id: id },
    {
      $inc: { version: 1 },
      $set: { closed: false, mergedInto: null, updatedAt: now },
      $push: changeOf(context, concerned),
    },
    { session },
  );
}
