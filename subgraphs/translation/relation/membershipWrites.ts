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
 * @throws StaleMembership when it has moved since it was read
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
 * The same for many, in one command.
 *
 * @throws StaleMembership when one of them has moved since it was read
 */
export async function placeRecords(write: SystemWrite, moves: readonly Move[]): Promise<void> {
  const writes = moves.map((move) => placing(write, move));
  const placed = await translationsOf(write).writeEach(writes, { session: write.session });
  if (placed < moves.length) throw new StaleMembership();
}

function placing({ context, now }: SystemWrite, { record, place }: Move) {
  const { groupId, language, isSource, origin } = place;
  return {
    filter: { _id: record._id, groupId: record.groupId },
    update: {
      $set: {
        groupId,
        language,
        isSource,
        slotKey: slotKeyOf(record._id, groupId, language),
        updatedAt: now,
        updatedBy: context.viewer.id,
        ...origin,
      },
      $inc: { version: 1 },
      // That an object has moved is told of the group.
      ...(record.origin === 'created' ? { $push: announce(context, 'translation.changed') } : {}),
    },
  };
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

/** Puts an object where it belongs; a marketplace object without a record gets its first one. */
export function placeObject(
  write: MembershipWrite,
  object: LocatedObject,
  record: TranslationHead | null,
  place: Place,
): Promise<TranslationHead> {
  return record === null ? insertLinked(write, object, place) : placeRecord(write, record, place);
}

/** The first record of a marketplace object: approved, because its own subgraph decides what readers see. */
function insertLinked(
  { context, session, now }: MembershipWrite,
  object: LocatedObject,
  { groupId, language, isSource, origin }: Place,
): Promise<StoredTranslation> {
  const id = newId('translation');
  const by = context.viewer.id;
  return scoped(TranslationModel, context.installationId).insert(
    {
      ...newRecord({ id, by, now }),
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
    },
    { session },
  );
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
