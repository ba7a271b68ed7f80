import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { announce } from '../../platform/events/outbox.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { LocatedObject } from '../translatable/LocatedObject.ts';
import {
  headProjection,
  type StoredTranslation,
  slotKeyOf,
  type TranslationHead,
  TranslationModel,
} from '../translation/model.ts';
import type { Provenance } from '../translation/toProvenance.ts';
import { StaleMembership } from './inRelationTransaction.ts';

/** A transaction that changes memberships: where, on whose behalf, and when. A job is a viewer by its name. */
export interface SystemWrite {
  readonly context: Pick<RequestContext, 'installationId' | 'platform'> & {
    readonly viewer: { readonly id: string };
  };
  readonly session: ClientSession;
  readonly now: Date;
}

/** The same for a request, which can also ask owners. */
export interface MembershipWrite extends SystemWrite {
  readonly context: RequestContext;
}

/** Where a record belongs. */
export interface Place {
  readonly groupId: string | null;
  readonly language: string;
  readonly isSource: boolean;
  /** What its texts were made from; left out: as before. */
  readonly origin?: Provenance;
}

/** The records of object keys, as the transaction sees them. */
export async function readByKeys(
  { context, session }: SystemWrite,
  keys: readonly string[],
): Promise<Map<string, TranslationHead>> {
  const records = await scoped(TranslationModel, context.installationId).find(
    { objectKey: { $in: [...keys] } },
    { projection: headProjection, session },
  );
  return new Map(records.map((record) => [record.objectKey, record]));
}

/** The members of a group, the oldest first. */
export async function readMembers(
  { context, session }: SystemWrite,
  groupId: string,
): Promise<TranslationHead[]> {
  return scoped(TranslationModel, context.installationId).find(
    { groupId },
    { projection: headProjection, sort: { createdAt: 1, _id: 1 }, session },
  );
}

/**
 * Puts a record where it belongs: group, language and slot in one write of one document.
 *
 * @throws StaleMembership when it has moved, or its object was deleted, since it was read
 */
export async function placeRecord(
  write: SystemWrite,
  record: TranslationHead,
  place: Place,
): Promise<TranslationHead> {
  const { filter, update } = placing(write, { record, place });
  const { session } = write;
  const placed = await translationsOf(write).findOneAndUpdate(filter, update, { session });
  if (!placed) throw new StaleMembership();
  return placed;
}

/** A record, and where it belongs from now on. */
export interface Move {
  readonly record: TranslationHead;
  readonly place: Place;
}

/**
 * The same for many, in one command; none, in none.
 *
 * @returns the records as they are now, in the order of the moves
 * @throws StaleMembership when one of them has moved since it was read
 */
export async function placeRecords(write: SystemWrite, moves: readonly Move[]): Promise<TranslationHead[]> {
  if (moves.length === 0) return [];
  const placed = await translationsOf(write).writeEach(
    moves.map((move) => placing(write, move)),
    { session: write.session },
  );
  if (placed < moves.length) throw new StaleMembership();
  return moves.map(({ record, place }) => ({
    ...record,
    ...membersOf(write, record._id, place),
    version: record.version + 1,
  }));
}

function placing(write: SystemWrite, { record, place }: Move) {
  return {
    // Neither moved nor deleted since.
    filter: { _id: record._id, groupId: record.groupId, objectGoneAt: record.objectGoneAt },
    update: {
      $set: membersOf(write, record._id, place),
      $inc: { version: 1 },
      // That an object has moved is told of the group.
      ...(record.origin === 'created' ? { $push: announce(write.context, 'translation.changed') } : {}),
    },
  };
}

/** What a place sets of a record. */
function membersOf({ context, now }: SystemWrite, id: string, place: Place) {
  const { groupId, language, isSource, origin } = place;
  const slotKey = slotKeyOf(id, groupId, language);
  return { groupId, language, isSource, slotKey, updatedAt: now, updatedBy: context.viewer.id, ...origin };
}

/** Tells of the texts of a group that others get them from now on: objects have joined it or left it. */
export async function announceTexts(write: SystemWrite, members: readonly TranslationHead[]): Promise<void> {
  const ids = members.flatMap(({ _id, origin }) => (origin === 'created' ? [_id] : []));
  if (ids.length === 0) return;
  await translationsOf(write).updateMany(
    { _id: { $in: ids } },
    { $push: announce(write.context, 'translation.changed') },
    { session: write.session },
  );
}

function translationsOf({ context }: SystemWrite) {
  return scoped(TranslationModel, context.installationId);
}

/** An object that may have no record yet, and where it belongs from now on. */
export interface ObjectMove {
  readonly object: LocatedObject;
  readonly record: TranslationHead | null;
  readonly place: Place;
}

/**
 * Puts objects where they belong: those that have records in one command, and the first records of the others in another
 * one.
 *
 * @returns their records as they are now, in the order of the moves
 * @throws StaleMembership when one of them has moved since it was read
 */
export async function placeObjects(
  write: MembershipWrite,
  moves: readonly ObjectMove[],
): Promise<TranslationHead[]> {
  const present = moves.flatMap(({ record, place }) => (record ? [{ record, place }] : []));
  const placed = new Map((await placeRecords(write, present)).map((record) => [record.objectKey, record]));
  const made = moves.flatMap(({ object, record, place }) =>
    record ? [] : [firstRecord(write, object, place)],
  );
  if (made.length > 0)
    await translationsOf(write).writeEach(
      made.map((insert) => ({ insert })),
      { session: write.session },
    );
  for (const record of made) placed.set(record.objectKey, record);
  return moves.flatMap(({ object }) => placed.get(object.key) ?? []);
}

/** The same for one. */
export async function placeObject(
  write: MembershipWrite,
  object: LocatedObject,
  record: TranslationHead | null,
  place: Place,
): Promise<TranslationHead> {
  const [placed] = await placeObjects(write, [{ object, record, place }]);
  if (!placed) throw new StaleMembership();
  return placed;
}

/** The first record of a marketplace object: approved, because its own subgraph decides what readers see. */
function firstRecord(
  { context, now }: MembershipWrite,
  object: LocatedObject,
  { groupId, language, isSource, origin }: Place,
): StoredTranslation {
  const id = newId('translation');
  return {
    ...newRecord({ id, by: context.viewer.id, now }),
    installationId: context.installationId,
    objectType: object.ref.type,
    objectId: object.ref.id,
    objectKey: object.key,
    subjectId: object.subject.id,
    ownerId: object.owned.ownerId,
    language,
    groupId,
    slotKey: slotKeyOf(id, groupId, language),
    isSource,
    origin: 'linked',
    status: 'published',
    liveSince: now,
    derivedFrom: null,
    ...origin,
  };
}

/** The members of a record that say nothing yet. */
export function newRecord({ id, by, now }: { id: string; by: string; now: Date }) {
  return {
    _id: id,
    publishedAt: null,
    contentDigest: null,
    outdated: false,
    outdatedSince: null,
    flaggedOutdated: false,
    assigneeId: null,
    note: null,
    dueAt: null,
    objectGoneAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
    createdBy: by,
    updatedBy: by,
    fields: {},
    publishedFields: null,
    history: [],
  } as const satisfies Partial<StoredTranslation>;
}
