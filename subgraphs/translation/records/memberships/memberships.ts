import type { ObjectType } from '../../objects/ObjectRef.ts';
import { type StoredTranslation, slotKeyOf, type TranslationHead } from '../model.ts';
import type { StoredGroup } from './model.ts';

/** Data from which a change of memberships is decided, as read by one transaction. */
export interface Memberships {
  /** Records of the objects that the change names, by object key. */
  readonly records: ReadonlyMap<string, TranslationHead>;
  /**
   * Groups that the change names, those of the records, and those that they were merged into, including closed ones.
   */
  readonly groups: ReadonlyMap<string, StoredGroup>;
  /** Members of these groups, in ascending order of creation. */
  readonly members: ReadonlyMap<string, readonly TranslationHead[]>;
}

/** Membership of a record after the change. */
export interface Placement {
  /** The record as read, or a new one without a group. */
  readonly record: TranslationHead;
  readonly isNew?: boolean;
  /** Group of the record; null for none. The id of a missing group creates it. */
  readonly groupId: string | null;
  /** The language of the record unless stated. */
  readonly language?: string;
  readonly isSource?: boolean;
  /** Records the source of the group as the origin of its texts: at this digest, or in their current state. */
  readonly translates?: { readonly digest: string | null };
  /** Other properties that the same write sets. */
  readonly set?: Partial<StoredTranslation>;
}

/** A decided change. */
export interface Decision {
  readonly placements: readonly Placement[];
  /** A group that becomes part of another one; the placements move its members. */
  readonly merge?: { readonly fromId: string; readonly intoId: string };
  /** Groups that are normalized even if none of their members moves. */
  readonly normalize?: readonly string[];
}

/** A record as a change writes it. */
export interface PlannedRecord {
  readonly before: TranslationHead;
  readonly isNew: boolean;
  readonly place: Pick<TranslationHead, 'groupId' | 'language' | 'isSource' | 'slotKey'>;
  readonly set: Partial<StoredTranslation>;
  /** Origin of its texts to record. */
  readonly origin: Origin | null;
}

/** The source of a group, and the digest of its texts that a translation of them states; null: the present one. */
export interface Origin {
  readonly source: TranslationHead;
  readonly language: string;
  readonly digest: string | null;
}

/** A group as a change writes it. */
export interface PlannedGroup {
  readonly id: string;
  /** The stored group; null if the change creates it. */
  readonly stored: StoredGroup | null;
  readonly objectType: ObjectType;
  readonly mergedInto: string | null;
  /** Ids of its members after the change; if empty, the group is closed. */
  readonly memberIds: readonly string[];
  /** Keys of the objects that were in it or are in it now. */
  readonly objectKeys: readonly string[];
  /** Created translations that do not move, but whose linked objects do. */
  readonly textIds: readonly string[];
}

/** All writes of a change. */
export interface MembershipPlan {
  readonly records: readonly PlannedRecord[];
  readonly groups: readonly PlannedGroup[];
  readonly merge: Decision['merge'];
}

/** Returns the open group of an id: the group itself, or the one that it was merged into. */
export function openGroupOf({ groups }: Memberships, id: string): StoredGroup | null {
  const named = groups.get(id);
  const group = named?.closed ? groups.get(named.mergedInto ?? '') : named;
  return group && !group.closed ? group : null;
}

/** Returns the members of a group, in ascending order of creation. */
export function membersIn({ members }: Memberships, groupId: string | null | undefined) {
  return members.get(groupId ?? '') ?? [];
}

/**
 * Completes a decision so that every affected group follows the rules. A group has at least two members (a last one
 * becomes single and the group is closed), one member for each language, exactly one source, and slots that name group
 * and language.
 */
export function planMemberships(
  state: Memberships,
  { placements, merge, normalize = [] }: Decision,
  defaultCode: string,
): MembershipPlan {
  const placed = new Map(placements.map((placement) => [placement.record._id, placement]));
  const left = placements.flatMap(({ record, isNew }) => (isNew ? [] : (record.groupId ?? [])));
  const joined = placements.flatMap(({ groupId }) => groupId ?? []);
  const groups: PlannedGroup[] = [];
  const sources = new Map<string, Candidate>();
  for (const id of [...new Set([...left, ...joined, ...normalize])].sort()) {
    const stored = state.groups.get(id) ?? null;
    const before = membersIn(state, id);
    const after = normalizeGroup(id, before, placed, defaultCode);
    const source = after.find(({ isSource }) => isSource);
    if (source) sources.set(id, source);
    const members = after.map(({ record }) => record);
    const objectType = (stored ?? members[0])?.objectType;
    if (!objectType) continue;
    groups.push({
      id,
      stored,
      objectType,
      mergedInto: merge?.fromId === id ? merge.intoId : (stored?.mergedInto ?? null),
      memberIds: members.map(({ _id }) => _id),
      objectKeys: [...new Set([...before, ...members].map(({ objectKey }) => objectKey))],
      textIds: textsBeside(before, members, placed),
    });
  }
  const records = [...placed.values()]
    .map((placement) => toPlanned(placement, sources))
    // Sorted, so that two changes of the same single objects conflict at the first of them.
    .sort((a, b) => (a.before.objectKey < b.before.objectKey ? -1 : 1));
  return { records, groups, merge };
}

/** A requested member of a group. */
interface Candidate {
  readonly record: TranslationHead;
  readonly language: string;
  readonly isSource: boolean;
}

/** Adds the placements that a group needs to follow the rules. Returns its members, or none if it is closed. */
function normalizeGroup(
  groupId: string,
  before: readonly TranslationHead[],
  placed: Map<string, Placement>,
  defaultCode: string,
): Candidate[] {
  const present = onePerLanguage(candidatesFor(groupId, before, placed), placed);
  if (present.length < 2) {
    for (const { record } of present) placeAlone(placed, record);
    return [];
  }
  const elected = electSource(present, defaultCode);
  return present.map((member) => {
    const { record, language } = member;
    const isSource = member === elected;
    const isSlotRight = placed.has(record._id) || record.slotKey === slotKeyOf(record._id, groupId, language);
    if (isSource !== member.isSource || !isSlotRight)
      placed.set(record._id, { ...(placed.get(record._id) ?? { record, groupId }), isSource });
    return { ...member, isSource };
  });
}

/** Returns the current source if it remains, otherwise the member in the default language, otherwise the oldest. */
function electSource(members: readonly Candidate[], defaultCode: string): Candidate | undefined {
  return (
    members.find(({ isSource }) => isSource) ??
    members.find(({ language }) => language === defaultCode) ??
    members[0]
  );
}

/** Returns the remaining members in ascending order of creation, then the joining ones. */
function candidatesFor(
  groupId: string,
  before: readonly TranslationHead[],
  placed: ReadonlyMap<string, Placement>,
): Candidate[] {
  const ids = new Set(before.map(({ _id }) => _id));
  const staying = before.map((record) => placed.get(record._id) ?? { ...record, record });
  const joining = [...placed.values()].filter(({ record }) => !ids.has(record._id));
  return [...staying, ...joining]
    .filter((one) => one.groupId === groupId)
    .map(({ record, language = record.language, isSource = false }) => ({ record, language, isSource }));
}

/** Keeps one member for each language: the source, otherwise the oldest. The others become single. */
function onePerLanguage(candidates: readonly Candidate[], placed: Map<string, Placement>): Candidate[] {
  const byLanguage = Map.groupBy(candidates, ({ language }) => language);
  return candidates.filter((candidate) => {
    const same = byLanguage.get(candidate.language) ?? [];
    if (candidate === (same.find(({ isSource }) => isSource) ?? same[0])) return true;
    placeAlone(placed, candidate.record);
    return false;
  });
}

function placeAlone(placed: Map<string, Placement>, record: TranslationHead): void {
  const { translates: _, ...placement } = placed.get(record._id) ?? { record };
  placed.set(record._id, { ...placement, groupId: null, isSource: false });
}

/**
 * Returns the created translations whose events are due. The events list the linked objects in the group, so they are
 * due when one joins or leaves.
 */
function textsBeside(
  before: readonly TranslationHead[],
  after: readonly TranslationHead[],
  placed: ReadonlyMap<string, Placement>,
): string[] {
  const [was, is] = [before, after].map((records) => new Set(records.map(({ _id }) => _id)));
  const hasObject = [...before, ...after].some(
    ({ _id, origin }) => origin === 'linked' && was?.has(_id) !== is?.has(_id),
  );
  return hasObject
    ? after.flatMap(({ _id, origin }) => (origin === 'created' && !placed.has(_id) ? [_id] : []))
    : [];
}

function toPlanned(
  { record, isNew = false, groupId, language = record.language, isSource = false, ...rest }: Placement,
  sources: ReadonlyMap<string, Candidate>,
): PlannedRecord {
  const { translates, set = {} } = rest;
  const source = sources.get(groupId ?? '');
  const isTranslation = translates !== undefined && source !== undefined && source.record._id !== record._id;
  return {
    before: record,
    isNew,
    place: { groupId, language, isSource, slotKey: slotKeyOf(record._id, groupId, language) },
    set,
    origin: isTranslation
      ? { source: source.record, language: source.language, digest: translates.digest }
      : null,
  };
}
