import type { ObjectType } from '../../objects/ObjectRef.ts';
import { type StoredTranslation, slotKeyOf, type TranslationHead } from '../model.ts';
import type { StoredGroup } from './model.ts';

/** What a change of memberships is decided from, as one transaction reads it. */
export interface Memberships {
  /** Records of the objects that the change names, by object key. */
  readonly records: ReadonlyMap<string, TranslationHead>;
  /** Groups that the change names, those of the records, and those that they were merged into; closed ones too. */
  readonly groups: ReadonlyMap<string, StoredGroup>;
  /** Members of these groups, the oldest first. */
  readonly members: ReadonlyMap<string, readonly TranslationHead[]>;
}

/** Where a record belongs from now on. */
export interface Placement {
  /** As it was read; or a new one, which belongs to no group yet. */
  readonly record: TranslationHead;
  readonly isNew?: boolean;
  /** Null: alone. The id of a group that does not exist creates it. */
  readonly groupId: string | null;
  /** The language of the record unless stated. */
  readonly language?: string;
  readonly isSource?: boolean;
  /** Records the source of the group as the origin of its texts: at this digest, or as they are now. */
  readonly translates?: { readonly digest: string | null };
  /** Other properties that the same write sets. */
  readonly set?: Partial<StoredTranslation>;
}

/** A decided change. */
export interface Decision {
  readonly placements: readonly Placement[];
  /** A group that becomes part of another one; the placements move its members. */
  readonly merge?: { readonly fromId: string; readonly intoId: string };
  /** Groups that are normalized although no member of them has to move. */
  readonly normalize?: readonly string[];
}

/** A record as a change writes it. */
export interface PlannedRecord {
  readonly before: TranslationHead;
  readonly isNew: boolean;
  readonly place: Pick<TranslationHead, 'groupId' | 'language' | 'isSource' | 'slotKey'>;
  readonly set: Partial<StoredTranslation>;
  /** What its texts are recorded as made from. */
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
  /** Null: the change creates it. */
  readonly stored: StoredGroup | null;
  readonly objectType: ObjectType;
  readonly mergedInto: string | null;
  /** Ids of its members after the change; none: it is closed. */
  readonly memberIds: readonly string[];
  /** Keys of the objects that were in it or are in it now. */
  readonly objectKeys: readonly string[];
  /** Created translations that do not move, but whose linked objects do. */
  readonly textIds: readonly string[];
}

/** Everything that a change writes. */
export interface MembershipPlan {
  readonly records: readonly PlannedRecord[];
  readonly groups: readonly PlannedGroup[];
  readonly merge: Decision['merge'];
}

/** The open group that an id leads to: itself, or the one that it was merged into. */
export function openGroupOf({ groups }: Memberships, id: string): StoredGroup | null {
  const named = groups.get(id);
  const group = named?.closed ? groups.get(named.mergedInto ?? '') : named;
  return group && !group.closed ? group : null;
}

/** Members of a group, the oldest first. */
export function membersIn({ members }: Memberships, groupId: string | null | undefined) {
  return members.get(groupId ?? '') ?? [];
}

/**
 * Completes a decision so that every group it touches keeps the rules: at least two members (the last one is alone and
 * the group is closed), one member a language, exactly one source, and slots that name group and language.
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
    // In one order, so that two changes of the same lone objects meet at the first of them.
    .sort((a, b) => (a.before.objectKey < b.before.objectKey ? -1 : 1));
  return { records, groups, merge };
}

/** A member of a group as a change wants it. */
interface Candidate {
  readonly record: TranslationHead;
  readonly language: string;
  readonly isSource: boolean;
}

/** Adds the placements that a group needs to keep the rules; answers its members then, none if it is closed. */
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

/** The present source if it is still there, else the member in the default language, else the oldest. */
function electSource(members: readonly Candidate[], defaultCode: string): Candidate | undefined {
  return (
    members.find(({ isSource }) => isSource) ??
    members.find(({ language }) => language === defaultCode) ??
    members[0]
  );
}

/** The members that stay, the oldest first, and then those that join. */
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

/** Of several in one language the source stays, else the oldest; the others are alone. */
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

/** Events of created translations list the linked objects beside them, so they are due when one joins or leaves. */
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
