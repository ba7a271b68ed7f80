import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import type { AccessSource } from '../../objects/marketplaceObject.ts';
import { type CandidateFilter, loadCandidates } from '../../records/candidates.ts';
import { loadMembers } from '../../records/loaders.ts';
import type { TranslationHead } from '../../records/model.ts';
import { isEditor } from '../../records/policy.ts';
import { objectOfRecord, type TranslatableObject } from '../../records/TranslatableObject.ts';
import {
  isLive,
  type TranslationParent,
  toTranslationParent,
  type View,
} from '../../records/TranslationParent.ts';

/** A member of a group with its owner's response. */
export interface Member {
  readonly object: TranslatableObject;
  readonly translation: TranslationParent;
  readonly live: boolean;
}

/**
 * Returns every member of an object's group, in the order of the languages; a single object is its own only member.
 * Batched: any number of groups costs one database command and one query to the owner.
 *
 * @param withTexts whether the texts of this view are included
 */
export async function membersOf(
  context: RequestContext,
  object: TranslatableObject,
  view: View,
  withTexts = false,
): Promise<Member[]> {
  const groupId = object.record?.groupId ?? null;
  if (groupId === null) return toMembers(context, [object], view);
  const records = await loadMembers(context, groupId, withTexts ? view : 'none');
  return membersOfRecords(context, records, view, object.accessSource);
}

/** Returns the members of an object's group that can be chosen for a reader; for a single object, the object itself. */
export async function candidatesOf(
  context: RequestContext,
  object: TranslatableObject,
  filter: CandidateFilter,
): Promise<Member[]> {
  const { record: asked } = object;
  if (asked === null || asked.groupId === null) return toMembers(context, [object], filter.view);
  const records = await loadCandidates(context, asked, filter);
  const objects = records.map(async (record) =>
    record === asked ? object : objectOfRecord(context, record, object.accessSource),
  );
  return toMembers(context, await Promise.all(objects), filter.view);
}

/** Returns every member of a group, in the order of the languages. */
export async function membersOfGroup(
  context: RequestContext,
  groupId: string,
  view: View,
  accessSource: AccessSource = 'ownerAccess',
): Promise<Member[]> {
  return membersOfRecords(context, await loadMembers(context, groupId), view, accessSource);
}

/** Returns records as members of one group, in the order of the languages. */
export async function membersOfRecords(
  context: RequestContext,
  records: readonly TranslationHead[],
  view: View,
  accessSource: AccessSource = 'ownerAccess',
): Promise<Member[]> {
  const objects = await Promise.all(records.map((record) => objectOfRecord(context, record, accessSource)));
  return toMembers(context, objects, view);
}

async function toMembers(
  context: RequestContext,
  objects: readonly TranslatableObject[],
  view: View,
): Promise<Member[]> {
  const settings = await loadLanguageSettings(context);
  const members = objects.map((object) => toMember(object, toTranslationParent(settings, object, view)));
  const position = ({ translation: { code } }: Member): number => {
    const entry = settings.byCode.get(code ?? '');
    return entry ? settings.all.indexOf(entry) : settings.all.length;
  };
  return members.length < 2 ? members : members.sort((a, b) => position(a) - position(b));
}

function toMember(object: TranslatableObject, translation: TranslationParent): Member {
  return { object, translation, live: isLive(translation, object.owned) };
}

/** Returns the members that the caller may see: own work, and those that every reader sees. */
export function visibleTo(context: RequestContext, members: readonly Member[]): Member[] {
  return members.filter(({ object, live }) => live || isEditor(context.viewerOrNull, object));
}
