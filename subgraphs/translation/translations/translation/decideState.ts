import { permissionRequired } from '../../../platform/auth/checkGuard.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { longestHistory, type Status, type StoredTranslation } from '../../records/model.ts';
import { actsOnOwn, takesDown } from '../../records/statusMachine.ts';
import { currentDigestOf } from '../../records/TranslatableObject.ts';
import { isLinkedSource } from '../../records/TranslationParent.ts';
import { type Provenance, toProvenance } from '../../records/toProvenance.ts';
import type { ChangeContext } from './changeTranslation.ts';
import { assertComplete, assertTransition, notAssignee } from './policy.ts';

/** Requested members of a state; omitted ones are unchanged. */
export interface StateChange {
  readonly status?: Status;
  readonly note?: string | null;
  readonly assigneeId?: string | null;
  readonly dueAt?: Date | null;
  readonly sourceDigest?: string;
  /** False if the text fits the current source; true if it does not. */
  readonly outdated?: boolean;
}

/**
 * Returns the members that a change of state sets, or null if nothing changes.
 *
 * @throws AppError `not_assignee`, `permission_required`, `source_status_readonly`, `precondition_failed`,
 *   `invalid_transition`, `transition_not_allowed`, `content_incomplete`
 */
export function decideState(
  subject: ChangeContext,
  change: StateChange,
  expectedVersion: number | null | undefined,
): Partial<StoredTranslation> | null {
  assertRights(subject, change);
  assertVersion(subject.record.version, expectedVersion);
  const set: Partial<StoredTranslation> = {
    ...decideStatus(subject, change),
    ...decideProvenance(subject, change),
    ...decideMembers(subject.record, change),
  };
  return Object.keys(set).length === 0 ? null : set;
}

function assertRights({ record, actor }: ChangeContext, { outdated }: StateChange): void {
  if (!actsOnOwn(record, actor)) throw notAssignee();
  if (outdated === true && !actor.manages) throw permissionRequired('translations:manage');
  if (outdated === false && !actor.manages && record.assigneeId !== actor.id) throw notAssignee();
  if (!isLinkedSource({ record })) return;
  throw new AppError(
    'source_status_readonly',
    'The source of a group has the state of its object. Change the state of the object instead.',
  );
}

function decideStatus(
  { record, actor, now }: ChangeContext,
  { status: to, note }: StateChange,
): Partial<StoredTranslation> {
  const { status: from, history } = record;
  if (to === undefined || to === from) return {};
  const live = record.liveSince !== null;
  assertTransition({ status: from, live, assigneeId: record.assigneeId }, to, actor);
  const entry = { at: now, by: actor.id, from, to, note: note ?? null };
  return {
    status: to,
    history: [...history, entry].slice(-longestHistory),
    ...(to === 'published' ? publish(record, now) : {}),
    ...(takesDown.has(to) ? { liveSince: null } : {}),
  };
}

/** Publishes the current texts; those of linked objects are stored in their own subgraph. */
function publish(record: StoredTranslation, now: Date): Partial<StoredTranslation> {
  if (record.origin === 'created') assertComplete(record.objectType, record.fields);
  return {
    liveSince: record.liveSince ?? now,
    publishedAt: now,
    publishedFields: record.origin === 'created' ? record.fields : null,
  };
}

/** A text with a deleted source cannot be compared. */
const inStep = { flaggedOutdated: false, outdated: false, outdatedSince: null };

/**
 * Decides the recorded source. Publishing and acknowledging state that the text fits the current source, unless a
 * digest names another one.
 */
function decideProvenance(
  { record, actor, source, now }: ChangeContext,
  { status, sourceDigest, outdated }: StateChange,
): Partial<Provenance> {
  if (outdated === true)
    return record.flaggedOutdated
      ? {}
      : { flaggedOutdated: true, outdated: true, outdatedSince: record.outdatedSince ?? now };
  if (outdated === false && !source) return record.outdated || record.flaggedOutdated ? inStep : {};
  const publishes = status === 'published' && record.status !== 'published';
  if (!source || (sourceDigest === undefined && outdated === undefined && !publishes)) return {};
  const digest = sourceDigest ?? currentDigestOf(source)?.digest;
  if (digest === record.derivedFrom?.digest && !record.flaggedOutdated && !record.outdated && !publishes)
    return {};
  return toProvenance({
    source,
    language: record.derivedFrom?.language ?? source.record?.language ?? null,
    digest,
    before: record.derivedFrom,
    by: actor.id,
    at: now,
  });
}

function decideMembers(
  record: StoredTranslation,
  { note, assigneeId, dueAt }: StateChange,
): Partial<StoredTranslation> {
  return {
    ...(note === undefined || note === record.note ? {} : { note }),
    ...(assigneeId === undefined || assigneeId === record.assigneeId ? {} : { assigneeId }),
    ...(dueAt === undefined || dueAt?.getTime() === record.dueAt?.getTime() ? {} : { dueAt }),
  };
}
