import { announce, firstOutbox } from '../../platform/events/outbox.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { ObjectType } from '../translatable/ObjectRef.ts';
import type { TranslationHead } from '../translation/model.ts';
import { StaleMembership } from './inRelationTransaction.ts';
import type { SystemWrite } from './membershipWrites.ts';
import { RelationGroupModel, type StoredGroup } from './model.ts';
import { relationNotFound } from './refuseLink.ts';

/** What a transaction does to a group, besides raising its version. */
export interface GroupChange {
  readonly id: string;
  /** Objects that have others beside them from now on; left out where `announceGroup` tells of them later. */
  readonly concerned?: readonly Pick<TranslationHead, 'objectKey'>[];
  /** Whether nobody is in it any more. */
  readonly closes?: boolean;
}

/**
 * Raises the version of the groups, in the order of their ids, so that no two transactions wait for each other.
 *
 * What the transaction has read of a group before is as true as what it reads afterwards: whoever changes members writes
 * the group as well, so if somebody was faster, raising its version is a write conflict and the transaction begins again.
 *
 * @returns the groups as they are now, by id
 * @throws StaleMembership when one has been closed meanwhile
 */
export async function raiseGroups(
  write: SystemWrite,
  changes: readonly GroupChange[],
): Promise<Map<string, StoredGroup>> {
  const { context, session, now } = write;
  const groups = scoped(RelationGroupModel, context.installationId);
  const raised = new Map<string, StoredGroup>();
  for (const { id, concerned, closes = false } of [...changes].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const group = await groups.findOneAndUpdate(
      { _id: id, closed: false },
      {
        $inc: { version: 1 },
        $set: { updatedAt: now, ...(closes && { closed: true, mergedInto: null }) },
        ...(concerned && { $push: changeOf(context, concerned) }),
      },
      { session },
    );
    if (!group) throw new StaleMembership();
    raised.set(id, group);
  }
  return raised;
}

/** The same where nothing else is known of them yet. */
export function bumpGroups(
  write: SystemWrite,
  ids: readonly (string | null)[],
): Promise<Map<string, StoredGroup>> {
  const present = [...new Set(ids.filter((id) => id !== null))];
  return raiseGroups(
    write,
    present.map((id) => ({ id })),
  );
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
