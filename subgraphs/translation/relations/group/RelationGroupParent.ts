import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { loadGroup } from '../../records/memberships/loadGroup.ts';
import type { StoredGroup } from '../../records/memberships/model.ts';
import type { TranslationHead } from '../../records/model.ts';
import { isEditor } from '../../records/policy.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { isSource, type TranslationParent } from '../../records/TranslationParent.ts';
import { type Member, membersOf, membersOfGroup, membersOfRecords, visibleTo } from './membersOf.ts';

/** A group as its resolvers see it. */
export interface RelationGroupParent {
  readonly id: string | null;
  readonly objectType: ObjectType;
  /** 0 for an object alone. */
  readonly version: number;
  /** Members that the caller may see. */
  readonly members: readonly Member[];
  /** Whether the caller works on any of its members. */
  readonly mine: boolean;
  /** Codes of the languages of all members, visible or not, so that existing ones do not count as missing. */
  readonly codes: ReadonlySet<string | null>;
  readonly mergedFrom: string | null;
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}

/** Returns the group of an object; a group without id for a single object. */
export async function groupOf(
  context: RequestContext,
  object: TranslatableObject,
): Promise<RelationGroupParent> {
  const groupId = object.record?.groupId ?? null;
  // The version is read first; otherwise it could be newer than the members that were read.
  const group = groupId === null ? null : await loadGroup(context, groupId);
  const members = await membersOf(context, object, 'editorial');
  return toGroup(context, object.ref.type, group, members);
}

/** Returns a stored group with its members. */
export async function withMembers(
  context: RequestContext,
  group: StoredGroup,
  mergedFrom: string | null = null,
): Promise<RelationGroupParent> {
  const members = await membersOfGroup(context, group._id, 'editorial');
  return { ...toGroup(context, group.objectType, group, members), mergedFrom };
}

/** Returns a stored group as if these records were its members. */
export async function withRecords(
  context: RequestContext,
  group: StoredGroup,
  records: readonly TranslationHead[],
): Promise<RelationGroupParent> {
  return toGroup(context, group.objectType, group, await membersOfRecords(context, records, 'editorial'));
}

function toGroup(
  context: RequestContext,
  objectType: ObjectType,
  group: StoredGroup | null,
  members: readonly Member[],
): RelationGroupParent {
  return {
    id: group?._id ?? null,
    objectType,
    version: group?.version ?? 0,
    members: visibleTo(context, members),
    mine: members.some(({ object }) => isEditor(context.viewerOrNull, object)),
    codes: new Set(members.map(({ translation }) => translation.code)),
    mergedFrom: null,
    createdAt: group?.createdAt ?? null,
    updatedAt: group?.updatedAt ?? null,
  };
}

/** Returns the source of the group, if the caller may see it. */
export function sourceOf({ members }: RelationGroupParent): TranslationParent | null {
  return members.find(({ translation }) => isSource(translation))?.translation ?? null;
}
