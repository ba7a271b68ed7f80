import type { ClientSession, QueryFilter } from 'mongoose';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { announce, firstOutbox } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import {
  headProjection,
  type StoredTranslation,
  slotKeyOf,
  type TranslationHead,
  TranslationModel,
} from '../model.ts';
import { objectOfRecord } from '../TranslatableObject.ts';
import { type Provenance, toProvenance } from '../toProvenance.ts';
import { forgetMemberships } from './forgetMemberships.ts';
import { inRelationTransaction, RetryTransaction } from './inRelationTransaction.ts';
import {
  type Decision,
  type MembershipPlan,
  type Memberships,
  type Origin,
  type PlannedGroup,
  type PlannedRecord,
  planMemberships,
} from './memberships.ts';
import { RelationGroupModel, type StoredGroup } from './model.ts';

/** A change of memberships: what it reads, who may make it, and what it decides. */
export interface MembershipChange {
  /** Filter of the records of the objects that it names; see `ofObjects`. */
  readonly records?: QueryFilter<StoredTranslation>;
  /** Groups that the change names. */
  readonly groupIds?: readonly string[];
  /** Known objects and groups that will change; the change is queued after other changes of them. */
  readonly queue?: readonly (string | null)[];
  /** Code of the installation's default language, for the election of sources. */
  readonly defaultCode: string;
  /** Checks the caller's permission; queries owners if necessary. */
  authorize?(state: Memberships): Promise<void>;
  /** Decides the change. Pure, because it may be repeated. Null changes nothing; it throws refusals. */
  decide(state: Memberships): Decision | null;
}

/** Returns the query for the records of objects. */
export function ofObjects(...keys: readonly string[]): QueryFilter<StoredTranslation> {
  return { objectKey: { $in: keys } };
}

/** Result of a change. */
export interface MembershipOutcome extends Memberships {
  /** Decision; null if nothing was changed. */
  readonly decision: Decision | null;
}

/** Context of a change and its viewer; a job is a viewer by its name. */
export interface WriteContext extends InstallationContext {
  readonly viewer: { readonly id: string };
}

/**
 * Changes memberships for a request, and drops cached data of them.
 *
 * @throws AppError `group_busy`, and errors of the change
 */
export async function changeMemberships(
  context: RequestContext,
  change: MembershipChange,
): Promise<MembershipOutcome> {
  const outcome = await executeChange(context, change, async ({ source, language, digest }, record, at) =>
    toProvenance({
      source: await objectOfRecord(context, source),
      language,
      digest,
      before: record.derivedFrom,
      by: context.viewer.id,
      at,
    }),
  );
  forgetMemberships(context, [...outcome.records.values(), ...[...outcome.members.values()].flat()]);
  return outcome;
}

/** Records the source of a record's texts. */
type RecordOrigin = (origin: Origin, record: TranslationHead, at: Date) => Promise<Provenance>;

/** A change in one transaction. */
interface Transaction {
  readonly context: WriteContext;
  readonly session: ClientSession;
  readonly now: Date;
}

/**
 * Changes memberships; all changes use this function. It reads the records, their groups and all members, decides,
 * increments the version of every affected group, and writes the records. A change that conflicts with another one
 * restarts from its reads.
 */
export function executeChange(
  context: WriteContext,
  change: MembershipChange,
  recordOrigin?: RecordOrigin,
): Promise<MembershipOutcome> {
  return inRelationTransaction(async (session) => {
    const transaction = { context, session, now: new Date(context.platform.now()) };
    const state = await readMemberships(transaction, change);
    await change.authorize?.(state);
    const decision = change.decide(state);
    if (!decision) return { ...state, decision };
    const plan = planMemberships(state, decision, change.defaultCode);
    // Queried before anything is locked.
    const written = await Promise.all(
      plan.records.map((planned) => toWritten(transaction, planned, recordOrigin)),
    );
    const groups = await lockGroups(transaction, plan);
    await writeRecords(transaction, plan, written);
    return { ...outcomeOf(state, plan, written, groups), decision };
  }, change.queue);
}

async function readMemberships(
  { context, session }: Transaction,
  { records: filter, groupIds = [] }: MembershipChange,
): Promise<Memberships> {
  const translations = scoped(TranslationModel, context.installationId);
  const options = { projection: headProjection, sort: { createdAt: 1, _id: 1 }, session } as const;
  const records = filter ? await translations.find(filter, options) : [];
  const ids = new Set([...groupIds, ...records.flatMap(({ groupId }) => groupId ?? [])]);
  const groups = ids.size === 0 ? [] : await readGroups(context, session, [...ids]);
  for (const { _id } of groups) ids.add(_id);
  const members = ids.size === 0 ? [] : await translations.find({ groupId: { $in: [...ids] } }, options);
  return {
    records: new Map(records.map((record) => [record.objectKey, record])),
    groups: new Map(groups.map((group) => [group._id, group])),
    members: Map.groupBy(members, ({ groupId }) => groupId ?? ''),
  };
}

/** Reads groups by their ids, and those that they were merged into; every id is at most one step away. */
async function readGroups(
  { installationId }: WriteContext,
  session: ClientSession,
  ids: readonly string[],
): Promise<StoredGroup[]> {
  const collection = scoped(RelationGroupModel, installationId);
  const named = await collection.find({ _id: { $in: [...ids] } }, { session });
  const merged = named.flatMap(({ mergedInto }) => mergedInto ?? []).filter((id) => !ids.includes(id));
  if (merged.length === 0) return named;
  return [...named, ...(await collection.find({ _id: { $in: merged } }, { session }))];
}

/** A record, and what it becomes. */
interface WrittenRecord extends PlannedRecord {
  readonly after: TranslationHead;
  /** The properties that the write sets. */
  readonly values: Partial<StoredTranslation>;
}

async function toWritten(
  { context, now }: Transaction,
  planned: PlannedRecord,
  recordOrigin: RecordOrigin | undefined,
): Promise<WrittenRecord> {
  const { before, isNew, place, set, origin } = planned;
  const provenance = origin && (await recordOrigin?.(origin, before, now));
  const values = { ...set, ...place, ...provenance, updatedAt: now, updatedBy: context.viewer.id };
  return { ...planned, values, after: { ...before, ...values, version: before.version + (isNew ? 0 : 1) } };
}

/**
 * Increments the versions of the groups, in the order of their ids to avoid deadlocks. All changes of members require
 * it: under snapshot isolation, reads do not conflict, so two successful changes could undo each other.
 *
 * @returns the current groups by id
 * @throws RetryTransaction if another change was faster
 */
async function lockGroups(
  { context, session, now }: Transaction,
  { groups, merge }: MembershipPlan,
): Promise<Map<string, StoredGroup>> {
  const collection = scoped(RelationGroupModel, context.installationId);
  const locked = new Map<string, StoredGroup>();
  for (const { id, stored, objectType, objectKeys, ...planned } of groups) {
    const closed = planned.memberIds.length === 0;
    const about = { data: { objectKeys } };
    if (stored) {
      const group = await collection.findOneAndUpdate(
        { _id: id, version: stored.version, closed: stored.closed },
        {
          $inc: { version: 1 },
          $set: { updatedAt: now, closed, mergedInto: closed ? planned.mergedInto : null },
          $push: announce(context, 'relation.changed', about),
        },
        { session },
      );
      if (!group) throw new RetryTransaction();
      locked.set(id, group);
    } else {
      const times = { createdAt: now, updatedAt: now };
      const first = firstOutbox(context, 'relation.changed', about);
      const group = { _id: id, objectType, version: 1, closed: false, mergedInto: null, ...times, ...first };
      locked.set(id, await collection.insert(group, { session }));
    }
  }
  if (merge)
    await collection.updateMany(
      { mergedInto: merge.fromId },
      { $set: { mergedInto: merge.intoId } },
      { session },
    );
  return locked;
}

/**
 * Writes group, language and slot of each record in one update of one document; all of them in one command, and new
 * records in another one.
 *
 * @throws RetryTransaction when one of them was changed since it was read
 */
async function writeRecords(
  { context, session }: Transaction,
  { groups }: MembershipPlan,
  written: readonly WrittenRecord[],
): Promise<void> {
  const changed = written.filter(({ isNew }) => !isNew);
  const taken = new Set(written.map(({ place }) => place.slotKey));
  const announced = { $push: announce(context, 'translation.changed') };
  const writes = [
    // A slot that another record of the same change takes is released first.
    ...changed
      .filter(({ before, place }) => before.slotKey !== place.slotKey && taken.has(before.slotKey))
      .map(({ before: { _id, language } }) => ({
        filter: { _id },
        update: { $set: { slotKey: slotKeyOf(_id, null, language) } },
      })),
    ...changed.map(({ before: { _id, version, origin }, set, values }) => ({
      filter: { _id, version },
      // The event of its group states that a linked object has moved.
      update: {
        $set: values,
        $inc: { version: 1 },
        ...(origin === 'created' || Object.keys(set).length > 0 ? announced : {}),
      },
    })),
    ...groups.flatMap(({ textIds }) => textIds.map((_id) => ({ filter: { _id }, update: announced }))),
    ...written
      .filter(({ isNew }) => isNew)
      .map(({ before, values }) => ({ insert: { ...before, ...values } as StoredTranslation })),
  ];
  if (writes.length === 0) return;
  const found = await scoped(TranslationModel, context.installationId).writeEach(writes, { session });
  if (found < writes.length) throw new RetryTransaction();
}

function outcomeOf(
  state: Memberships,
  plan: MembershipPlan,
  written: readonly WrittenRecord[],
  groups: ReadonlyMap<string, StoredGroup>,
): Memberships {
  const read = [...state.records.values(), ...[...state.members.values()].flat()];
  const heads = new Map([...read, ...written.map(({ after }) => after)].map((head) => [head._id, head]));
  const membersOf = ({ memberIds }: PlannedGroup) => memberIds.flatMap((id) => heads.get(id) ?? []);
  return {
    records: new Map([...heads.values()].map((head) => [head.objectKey, head])),
    groups: new Map([...state.groups, ...groups]),
    members: new Map([
      ...state.members,
      ...plan.groups.map((group) => [group.id, membersOf(group)] as const),
    ]),
  };
}
