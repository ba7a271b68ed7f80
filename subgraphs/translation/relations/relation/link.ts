import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import {
  type Decision,
  type Memberships,
  membersIn,
  openGroupOf,
  type Placement,
} from '../../records/memberships/memberships.ts';
import type { StoredTranslation, TranslationHead } from '../../records/model.ts';
import { presentRecord } from '../../records/policy.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { LanguageTakenError, objectInOtherGroup, relationNotFound } from '../group/refuseLink.ts';
import type { LinkPlan } from './planLink.ts';

/** Data of a link besides its plan: the records of objects without one, and the id of a new group. */
export interface LinkMaterial {
  readonly newGroupId: string;
  readonly firstRecordOf: (object: TranslatableObject, language: string) => StoredTranslation;
}

/** Decides a link; null if the object is already in the group. */
export function decideLink(state: Memberships, plan: LinkPlan, material: LinkMaterial): Decision | null {
  const { object, anchor, language, sourceDigest } = plan;
  const record = presentRecord(state, object.key, 'object_not_found');
  if (anchor) presentRecord(state, anchor.object.key, 'related_object_not_found');
  const groupId = targetOf(state, plan);
  assertVersion(state.groups.get(groupId ?? '')?.version ?? 0, plan.expectedVersion);
  if (groupId !== null && record?.groupId === groupId) return null;
  const member = memberInLanguage(state, groupId, plan);
  if (member && !isReplaced(member, plan)) throw new LanguageTakenError(groupId, language, member);
  if (groupId === null && anchor?.language === language)
    throw new LanguageTakenError(null, language, anchor.object);
  assertMayLeave(plan, record);
  const place = (one: TranslatableObject, placement: Omit<Placement, 'record'> & { language: string }) => {
    const present = state.records.get(one.key);
    return present
      ? { record: present, ...placement }
      : { record: material.firstRecordOf(one, placement.language), isNew: true, ...placement };
  };
  const joinedId = groupId ?? material.newGroupId;
  const founds = groupId === null && anchor;
  return {
    placements: [
      ...(member ? [{ record: member, groupId: null }] : []),
      ...(founds
        ? [place(anchor.object, { groupId: joinedId, language: anchor.language, isSource: true })]
        : []),
      place(object, { groupId: joinedId, language, translates: { digest: sourceDigest } }),
    ],
  };
}

/** Returns the id of the group to join; null while the anchor is single. */
function targetOf(state: Memberships, { groupId, anchor }: LinkPlan): string | null {
  if (groupId === null) return (anchor && state.records.get(anchor.object.key)?.groupId) ?? null;
  const group = openGroupOf(state, groupId);
  if (!group) throw relationNotFound();
  return group._id;
}

/** Returns the member in the language of the object. */
function memberInLanguage(
  state: Memberships,
  groupId: string | null,
  { language }: LinkPlan,
): TranslationHead | undefined {
  return membersIn(state, groupId).find((member) => member.language === language);
}

/** Returns whether the member with the same language leaves the group for the object; the anchor never does. */
function isReplaced({ objectKey }: TranslationHead, { onConflict, anchor }: LinkPlan): boolean {
  return onConflict === 'replace' && objectKey !== anchor?.object.key;
}

/** Returns the members of the group that the link affects: all of them, and the replaced one. */
export function touchedBy(
  state: Memberships,
  plan: LinkPlan,
): { members: readonly TranslationHead[]; replaced: readonly TranslationHead[] } {
  const groupId = targetOf(state, plan);
  const member = memberInLanguage(state, groupId, plan);
  const joins = groupId === null || state.records.get(plan.object.key)?.groupId !== groupId;
  return {
    members: membersIn(state, groupId),
    replaced: member && joins && isReplaced(member, plan) ? [member] : [],
  };
}

/**
 * Checks that an object may leave its group.
 *
 * @throws AppError `object_in_other_group` if links would be lost
 */
function assertMayLeave({ language, onConflict }: LinkPlan, record: TranslationHead | null): void {
  if (record === null || record.groupId === null) return;
  if (record.language !== language)
    throw new AppError(
      'language_mismatch',
      'Another request linked the object in another language. Read it again.',
    );
  if (onConflict === 'reject') throw objectInOtherGroup(record.groupId);
}
