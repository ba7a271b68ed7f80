import fc from 'fast-check';
import { AppError } from '../../../platform/errors/AppError.ts';
import { type Decision, type Memberships, planMemberships } from '../../records/memberships/memberships.ts';
import type { StoredGroup } from '../../records/memberships/model.ts';
import { newRecord } from '../../records/memberships/newRecord.ts';
import { type StoredTranslation, slotKeyOf, type TranslationHead } from '../../records/model.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { decideCreation } from '../../translations/translation/createTranslation.ts';
import { decideErasure } from '../erasure/forgetObject.ts';
import { LanguageTakenError } from '../group/refuseLink.ts';
import { decideRepair } from '../relation-health/decideRepair.ts';
import { decideLink } from './link.ts';
import { decideMerge } from './mergeRelationGroups.ts';
import type { LinkPlan } from './planLink.ts';
import { decideSource } from './setRelationSource.ts';
import { decideUnlink } from './unlinkRelation.ts';

/** Languages of the objects of a history, which are named by their index. */
const languages = ['en', 'fr', 'de', 'ar', 'en', 'fr', 'de'];
const now = new Date();
const keyOf = (index: number) => `listing:${index}`;

function recordOf(objectId: string, language: string, origin: 'linked' | 'created'): StoredTranslation {
  return {
    ...newRecord({ id: `trn_${objectId}`, by: 'usr_test', now }),
    installationId: 'ins_test',
    objectType: 'listing',
    objectId,
    objectKey: `listing:${objectId}`,
    subjectId: objectId,
    ownerId: null,
    language,
    origin,
    status: 'published',
    liveSince: now,
  };
}

/** The stored records and groups, which each change reads and writes as one transaction does. */
class Store {
  readonly records = new Map<string, TranslationHead>();
  readonly groups = new Map<string, StoredGroup>();
  #count = 0;

  newId(): string {
    return `grp_${String(++this.#count).padStart(4, '0')}`;
  }

  read(keys: readonly string[], groupIds: readonly string[] = []): Memberships {
    const records = new Map(keys.flatMap((key) => this.#entry(this.records, key)));
    const ids = new Set([...groupIds, ...[...records.values()].flatMap(({ groupId }) => groupId ?? [])]);
    const mergedInto = [...ids].flatMap((id) => this.groups.get(id)?.mergedInto ?? []);
    for (const id of mergedInto) ids.add(id);
    return {
      records,
      groups: new Map([...ids].flatMap((id) => this.#entry(this.groups, id))),
      members: Map.groupBy(
        [...this.records.values()].filter(({ groupId }) => groupId !== null && ids.has(groupId)),
        ({ groupId }) => groupId ?? '',
      ),
    };
  }

  #entry<V>(map: ReadonlyMap<string, V>, key: string): [string, V][] {
    const value = map.get(key);
    return value === undefined ? [] : [[key, value]];
  }

  write(state: Memberships, decision: Decision): void {
    const plan = planMemberships(state, decision, 'en');
    for (const { before, place, set, isNew } of plan.records) {
      const version = before.version + (isNew ? 0 : 1);
      this.records.set(before.objectKey, { ...before, ...set, ...place, version });
    }
    for (const { id, stored, objectType, memberIds, mergedInto } of plan.groups) {
      const closed = memberIds.length === 0;
      this.groups.set(id, {
        _id: id,
        installationId: 'ins_test',
        objectType,
        version: (stored?.version ?? 0) + 1,
        closed,
        mergedInto: closed ? mergedInto : null,
        createdAt: now,
        updatedAt: now,
      });
    }
    for (const group of this.groups.values())
      if (plan.merge && group.mergedInto === plan.merge.fromId) group.mergedInto = plan.merge.intoId;
  }

  groupOf(index: number): string | null {
    return this.records.get(keyOf(index))?.groupId ?? null;
  }

  membersOf(): ReadonlyMap<string | null, TranslationHead[]> {
    return Map.groupBy(this.records.values(), ({ groupId }) => groupId);
  }

  /** The violations of the invariants of groups. */
  violations(): string[] {
    const members = this.membersOf();
    const wrong = [...this.records.values()]
      .filter(({ _id, groupId, language, slotKey }) => slotKey !== slotKeyOf(_id, groupId, language))
      .map(({ objectKey }) => `slot of ${objectKey}`);
    for (const { _id, closed } of this.groups.values())
      if ((members.get(_id)?.length ?? 0) > 1 === closed) wrong.push(`size of ${_id}`);
    for (const [groupId, group] of members) {
      if (groupId === null) continue;
      if (this.groups.get(groupId)?.closed !== false) wrong.push(`${groupId} is not open`);
      if (group.filter(({ isSource }) => isSource).length !== 1) wrong.push(`source of ${groupId}`);
      if (new Set(group.map(({ language }) => language)).size < group.length)
        wrong.push(`languages of ${groupId}`);
      if (group.some(({ objectGoneAt }) => objectGoneAt !== null)) wrong.push(`deleted object in ${groupId}`);
    }
    return wrong;
  }
}

const object = fc.nat({ max: languages.length - 1 });
const onConflict = fc.constantFrom('reject', 'move', 'replace');
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind('link'), a: object, b: object, onConflict }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('join'), a: object, b: object, onConflict }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('unlink'), a: object }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('merge'), a: object, b: object }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: kind('create'), a: object, language: fc.constantFrom(...languages) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('source'), a: object }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('delete'), a: object }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** An object with the members that a decision reads. */
function located(store: Store, index: number): TranslatableObject {
  const key = keyOf(index);
  return { key, record: store.records.get(key) ?? null } as TranslatableObject;
}

function planOf(store: Store, step: Extract<Action, { kind: 'link' | 'join' }>): LinkPlan {
  const [language = '', anchorLanguage = ''] = [languages[step.a], languages[step.b]];
  const groupId = step.kind === 'join' ? (store.groupOf(step.b) ?? 'grp_none') : null;
  const anchor = { object: located(store, step.b), language: anchorLanguage };
  return {
    object: located(store, step.a),
    language,
    anchor: groupId === null ? anchor : null,
    groupId,
    onConflict: step.onConflict,
    sourceDigest: null,
    expectedVersion: null,
  } as LinkPlan;
}

/** The memberships that an action reads, and its decision. */
function decide(store: Store, step: Action): [Memberships, Decision | null] {
  const key = keyOf(step.a);
  const groupId = store.groupOf(step.a) ?? 'grp_none';
  switch (step.kind) {
    case 'link':
    case 'join': {
      const plan = planOf(store, step);
      const state = store.read([key, keyOf(step.b)], plan.groupId === null ? [] : [plan.groupId]);
      const firstRecordOf = (one: TranslatableObject, language: string) =>
        recordOf(one.key.slice('listing:'.length), language, 'linked');
      return [state, decideLink(state, plan, { newGroupId: store.newId(), firstRecordOf })];
    }
    case 'unlink': {
      const state = store.read([key]);
      return [state, decideUnlink(state, key, null)];
    }
    case 'merge': {
      const [fromId, intoId] = [groupId, store.groupOf(step.b) ?? 'grp_none'];
      const state = store.read([], [fromId, intoId]);
      return [state, decideMerge(state, { fromId, intoId, expectedVersion: null })];
    }
    case 'source': {
      const state = store.read([key], [groupId]);
      return [state, decideSource(state, { key, groupId, expectedVersion: null })];
    }
    case 'create': {
      const newGroupId = store.newId();
      const [sourceLanguage = ''] = [languages[step.a]];
      const firstRecord = recordOf(String(step.a), sourceLanguage, 'linked');
      const created = recordOf(`${step.a}-${newGroupId}`, step.language, 'created');
      const creation = { created, sourceKey: key, sourceLanguage, firstRecord, newGroupId };
      const state = store.read([key]);
      // The planning of a creation refuses this.
      if (step.language === sourceLanguage) return [state, null];
      return [state, decideCreation(state, creation)];
    }
    case 'delete': {
      const state = store.read([key]);
      return [state, decideErasure(state, now)];
    }
  }
}

/** Applies an action. Returns false if it is refused. */
function act(store: Store, step: Action): boolean {
  try {
    const [state, decision] = decide(store, step);
    if (decision) store.write(state, decision);
    return true;
  } catch (error) {
    if (error instanceof AppError || error instanceof LanguageTakenError) return false;
    throw error;
  }
}

const isGone = (store: Store, index: number) =>
  (store.records.get(keyOf(index))?.objectGoneAt ?? null) !== null;

/** A group of a linked English source, a created French text and a created German one. */
function textsOfOneCar() {
  const store = new Store();
  const groupId = store.newId();
  const inGroup = (record: StoredTranslation, isSource = false) => {
    const slotKey = slotKeyOf(record._id, groupId, record.language);
    store.records.set(record.objectKey, { ...record, groupId, isSource, slotKey });
    return store.records.get(record.objectKey) as TranslationHead;
  };
  const source = inGroup(recordOf('0', 'en', 'linked'), true);
  const texts = [inGroup(recordOf('1', 'fr', 'created')), inGroup(recordOf('2', 'de', 'created'))] as const;
  const group = { _id: groupId, installationId: 'ins_test', objectType: 'listing', version: 1 } as const;
  store.groups.set(groupId, { ...group, closed: false, mergedInto: null, createdAt: now, updatedAt: now });
  return { state: store.read([], [groupId]), groupId, source, texts };
}

test('a plan names the objects of a group before and after it, and the texts that only lose or gain an object', () => {
  const { state, groupId, source, texts } = textsOfOneCar();
  const [french, german] = texts;
  const arabic = recordOf('3', 'ar', 'linked');
  const placements = [
    { record: german, groupId, set: { note: 'changed' } },
    { record: arabic, isNew: true, groupId },
  ];
  const joined = planMemberships(state, { placements }, 'en');
  expect(joined.groups).toMatchObject([{ id: groupId, stored: { version: 1 }, textIds: [french._id] }]);
  expect(joined.groups[0]?.objectKeys).toEqual([0, 1, 2, 3].map(keyOf));
  expect(joined.records).toMatchObject([
    { before: german, isNew: false },
    { before: arabic, isNew: true },
  ]);
  const left = planMemberships(state, { placements: [{ record: source, groupId: null }] }, 'en');
  expect(left.groups[0]?.objectKeys).toEqual([0, 1, 2].map(keyOf));
  expect(left.groups[0]?.textIds).toEqual([german._id]);
  expect(left.records).toMatchObject([
    { before: source, place: { groupId: null } },
    { before: french, place: { groupId, isSource: true } },
  ]);
  const text = planMemberships(state, { placements: [{ record: german, groupId }] }, 'en');
  expect(text.groups[0]?.textIds).toEqual([]);
  const missing = planMemberships(state, { placements: [], normalize: ['grp_none'] }, 'en');
  expect(missing.groups).toEqual([]);
});

test('a plan records the source of a group as the origin of its translations, but not of the source or of single records', () => {
  const { state, groupId, source, texts } = textsOfOneCar();
  const [french, german] = texts;
  const translates = { digest: 'v1:a' };
  const placements = [
    { record: source, groupId, isSource: true, translates },
    { record: french, groupId, translates },
    { record: german, groupId: null, translates },
  ];
  const { records } = planMemberships(state, { placements }, 'en');
  const origin = { source, language: 'en', digest: 'v1:a' };
  expect(records.map((record) => record.origin)).toEqual([null, origin, null]);
});

test('a link of an object that joined a group in another language meanwhile is refused', () => {
  const { state, texts } = textsOfOneCar();
  const [french] = texts;
  const object = { key: french.objectKey, record: french };
  const anchor = { object: { key: keyOf(5), record: null }, language: 'en' };
  const plan = { object, anchor, language: 'ar', groupId: null, onConflict: 'move', expectedVersion: null };
  const records = new Map([[french.objectKey, french]]);
  const material = { newGroupId: 'grp_new', firstRecordOf: () => recordOf('5', 'en', 'linked') };
  expect(() => decideLink({ ...state, records }, plan as unknown as LinkPlan, material)).toThrow(
    expect.objectContaining({ code: 'language_mismatch' }),
  );
});

test('a plan of a merge closes the group whose members leave, and names its successor', () => {
  const { state, groupId, source, texts } = textsOfOneCar();
  const intoId = 'grp_into';
  const placements = [source, ...texts].map((record) => ({ record, groupId: intoId }));
  const plan = planMemberships(state, { placements, merge: { fromId: groupId, intoId } }, 'en');
  expect(plan.groups).toMatchObject([
    { id: groupId, memberIds: [], mergedInto: intoId },
    { id: intoId, stored: null, mergedInto: null, memberIds: [source, ...texts].map(({ _id }) => _id) },
  ]);
});

test('a merge into another version of the group is refused', () => {
  const { state, groupId } = textsOfOneCar();
  const from = { ...state.groups.get(groupId), _id: 'grp_from', version: 7 } as StoredGroup;
  const both = { ...state, groups: new Map([...state.groups, [from._id, from]]) };
  const plan = { fromId: from._id, intoId: groupId };
  expect(decideMerge(both, { ...plan, expectedVersion: 1 })?.merge).toEqual({
    fromId: from._id,
    intoId: groupId,
  });
  expect(() => decideMerge(both, { ...plan, expectedVersion: 7 })).toThrow(
    expect.objectContaining({ code: 'precondition_failed' }),
  );
});

test('links, moves, merges, creations, unlinks and deletions in any order keep the invariants of groups', () => {
  const history = fc.array(action, { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(history, (steps) => {
      const store = new Store();
      for (const step of steps) {
        if (isGone(store, step.a) || ('b' in step && (isGone(store, step.b) || step.a === step.b))) continue;
        const before = store.membersOf();
        const versions = new Map([...store.groups].map(([id, { version }]) => [id, version]));
        const joined = 'b' in step ? store.groupOf(step.b) : null;
        const isDone = act(store, step);
        expect(store.violations()).toEqual([]);
        const after = store.membersOf();
        // A change of members without a new version would not conflict with a concurrent one.
        for (const [id, version] of versions) {
          const [was, is] = [before, after].map((all) =>
            all
              .get(id)
              ?.map(({ _id }) => _id)
              .sort(),
          );
          if (String(was) !== String(is)) expect(store.groups.get(id)?.version).toBe(version + 1);
        }
        if (!isDone) continue;
        if ('b' in step) {
          expect(store.groupOf(step.a)).not.toBeNull();
          // The object by which the group was found may have been the holder of the language.
          expect(store.groupOf(step.a)).toBe(step.kind === 'join' ? joined : store.groupOf(step.b));
        }
        const separates = step.kind === 'unlink' || step.kind === 'delete';
        if (separates || ('onConflict' in step && step.onConflict !== 'reject')) continue;
        for (const [id, members] of before)
          if (id !== null)
            expect(new Set(members.map(({ objectKey }) => store.records.get(objectKey)?.groupId)).size).toBe(
              1,
            );
      }
    }),
    { numRuns: 300 },
  );
});

/** Changes of the store without a decision. */
const damage = fc.oneof(
  fc.record({ of: kind('slot'), a: object, b: object }),
  fc.record({ of: kind('group'), a: object, b: object }),
  fc.record({ of: kind('source'), a: object, isSource: fc.boolean() }),
  fc.record({ of: kind('language'), a: object, language: fc.constantFrom(...languages) }),
  fc.record({ of: kind('lost group'), a: object }),
  fc.record({ of: kind('closed group'), a: object }),
  fc.record({ of: kind('half a merge'), a: object, b: object }),
);

function spoil(store: Store, what: typeof damage extends fc.Arbitrary<infer A> ? A : never): void {
  const record = store.records.get(keyOf(what.a));
  const group = store.groups.get(record?.groupId ?? '');
  const other = 'b' in what ? store.records.get(keyOf(what.b)) : undefined;
  if (!record) return;
  if (what.of === 'slot' && other) record.slotKey = other.slotKey;
  if (what.of === 'group') record.groupId = other?.groupId ?? null;
  if (what.of === 'source') record.isSource = what.isSource;
  if (what.of === 'language') record.language = what.language;
  if (!group) return;
  if (what.of === 'lost group') store.groups.delete(group._id);
  if (what.of === 'closed group') Object.assign(group, { closed: true, mergedInto: null });
  if (what.of === 'half a merge' && other?.groupId !== group._id)
    Object.assign(group, { closed: true, mergedInto: other?.groupId ?? null });
}

test('a repair of all groups and records restores the invariants after any damage', () => {
  const steps = fc.array(action, { minLength: 3, maxLength: 12 });
  const damages = fc.array(damage, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(steps, damages, (all, spoiled) => {
      const store = new Store();
      for (const step of all)
        if (!isGone(store, step.a) && !('b' in step && (isGone(store, step.b) || step.a === step.b)))
          act(store, step);
      for (const one of spoiled) spoil(store, one);
      const repair = (keys: string[], groupId: string | null) => {
        const state = store.read(keys, groupId === null ? [] : [groupId]);
        store.write(state, decideRepair(state, groupId));
      };
      for (const { objectKey, objectGoneAt } of store.records.values()) {
        const state = store.read([objectKey]);
        if (objectGoneAt !== null) store.write(state, decideErasure(state, now));
      }
      const named = [...store.records.values()].flatMap(({ groupId }) => groupId ?? []);
      for (const id of new Set([...store.groups.keys(), ...named])) repair([], id);
      for (const { objectKey, groupId } of store.records.values())
        if (groupId === null) repair([objectKey], null);
      expect(store.violations()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
