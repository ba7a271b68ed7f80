import type { ObjectType } from '../../objects/ObjectRef.ts';
import type { TranslationHead } from '../../records/model.ts';
import type { RelationFindingCode } from '../../translation.generated.ts';

/** A finding, with the data for its repair. */
export interface RelationFindingParent {
  readonly code: RelationFindingCode;
  readonly groupId: string | null;
  /** Record; null if the finding is about a group as a whole. */
  readonly record: TranslationHead | null;
  readonly objectType: ObjectType | null;
  readonly objectId: string | null;
  readonly detail: string;
  readonly repairable: boolean;
}

const forPeople: ReadonlySet<RelationFindingCode> = new Set(['head_missing', 'language_not_configured']);

/** Returns a finding about a group as a whole. */
export function aboutGroup(
  code: RelationFindingCode,
  groupId: string,
  detail: string,
): RelationFindingParent {
  return { code, groupId, record: null, objectType: null, objectId: null, detail, repairable: true };
}

/** Returns a finding about one record. */
export function aboutRecord(
  code: RelationFindingCode,
  record: TranslationHead,
  detail: string,
): RelationFindingParent {
  const { groupId, objectType, objectId } = record;
  return { code, groupId, record, objectType, objectId, detail, repairable: !forPeople.has(code) };
}
