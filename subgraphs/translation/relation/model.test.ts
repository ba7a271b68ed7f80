import fc from 'fast-check';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { chooseSource, link, merge, unlink } from '../fixture/operations.ts';
import { createLanguageSettings } from '../language/createLanguageSettings.ts';
import { slotKeyOf, TranslationModel } from '../translation/model.ts';
import { forgetObject } from './forgetObject.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { RelationGroupModel } from './model.ts';

/** Histories that are tried; many more before a release: `RACE_ROUNDS=1000`. */
const runs = Number(process.env.RACE_ROUNDS ?? 12);

let shop: Shop;
let call: NonNullable<Parameters<Shop['ask']>[2]>;
beforeAll(async () => {
  shop = await openShop();
  const installation = shop.stack.other;
  await createLanguageSettings(installation, {
    languages: ['en', 'fr', 'de', 'ar'].map((code) => ({ code })),
  });
  call = { as: await shop.stack.signIn({ installation, roles: ['editor'] }), installation };
});
afterAll(() => shop.stack.close());

/** Languages of the objects of a history, which are named by their place here. */
const languages = ['en', 'fr', 'de', 'ar', 'en', 'fr', 'de'] as const;
const object = fc.nat({ max: languages.length - 1 });
const action = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('link' as const),
      a: object,
      b: object,
      onConflict: fc.constantFrom('REJECT', 'MOVE', 'REPLACE'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unlink' as const), a: object }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), a: object, b: object }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('source' as const), a: object }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), a: object }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
/** Steps follow each other; the actions of one step start together. */
const history = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 });

/** Group of every object, by its id. */
type Groups = ReadonlyMap<string, string | null>;

const refusals = new Set([
  'language_taken',
  'object_in_other_group',
  'relation_not_found',
  'merge_conflict',
  'self_relation',
  'object_not_found',
  'related_object_not_found',
  'group_busy',
]);

async function outcome(source: string, input: object): Promise<string> {
  const { errors } = await shop.stack.execute(source, { input }, call);
  if (!errors) return 'ok';
  const problem = errors[0]?.extensions.problem as { code: string } | undefined;
  if (!problem || !refusals.has(problem.code)) throw errors[0]?.originalError ?? errors[0];
  return problem.code;
}

async function erase(id: string): Promise<string> {
  const { platform, other } = shop.stack;
  const context = { installationId: other.id, platform, viewer: { id: 'test' } };
  await inRelationTransaction((session) =>
    forgetObject({ context, session, now: new Date() }, { type: 'listing', id }, 'en'),
  );
  return 'ok';
}

function run(step: Action, ids: readonly string[], groups: Groups): Promise<string> {
  const id = ids[step.a] ?? '';
  const ref = { type: 'LISTING', id };
  const groupOf = (index: number): string => groups.get(ids[index] ?? '') ?? newId('group');
  switch (step.kind) {
    case 'link': {
      const relatedTo = { type: 'LISTING', id: ids[step.b] };
      return outcome(link, { object: ref, relatedTo, onConflict: step.onConflict });
    }
    case 'unlink':
      return outcome(unlink, { objectType: 'LISTING', objectId: id });
    case 'merge':
      return outcome(merge, { fromGroupId: groupOf(step.a), intoGroupId: groupOf(step.b) });
    case 'source':
      return outcome(chooseSource, { groupId: groupOf(step.a), object: ref });
    case 'delete':
      return erase(id);
  }
}

/** Groups as they are stored, after every rule of them was checked. */
async function checkedGroups(ids: readonly string[]): Promise<Groups> {
  const { id } = shop.stack.other;
  const records = await scoped(TranslationModel, id).find(
    { objectId: { $in: [...ids] } },
    { sort: { _id: 1 } },
  );
  const members = Map.groupBy(records, ({ groupId }) => groupId);
  const stored = await scoped(RelationGroupModel, id).find({ closed: false }, { sort: { _id: 1 } });
  const open = new Set(stored.map(({ _id }) => _id));
  for (const { _id, groupId, language, slotKey } of records)
    expect(slotKey).toBe(slotKeyOf(_id, groupId, language));
  for (const [groupId, group] of members) {
    if (groupId === null) continue;
    expect(open).toContain(groupId);
    expect(group.length).toBeGreaterThan(1);
    expect(group.filter(({ isSource }) => isSource)).toHaveLength(1);
    expect(new Set(group.map(({ language }) => language)).size).toBe(group.length);
    expect(group.filter(({ objectGoneAt }) => objectGoneAt !== null)).toEqual([]);
  }
  return new Map(records.map(({ objectId, groupId }) => [objectId, groupId]));
}

/** Objects that a step may separate from others: those that leave, and all whom a change of sides may put out. */
function mayPart(step: readonly Action[]): boolean {
  return step.some(
    ({ kind, ...rest }) =>
      kind === 'unlink' || kind === 'delete' || ('onConflict' in rest && rest.onConflict !== 'REJECT'),
  );
}

test(
  'whatever is linked, moved, replaced, merged, unlinked and deleted at once, groups keep their rules and no answered link is lost',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const ids = languages.map((languageTag) =>
          shop.listing({ languageTag, installationId: shop.stack.other.id, ownerId: newId('dealer') }),
        );
        const gone = new Set<string>();
        let groups: Groups = new Map();
        for (const step of steps) {
          const alive = step.filter(
            (one) => !gone.has(ids[one.a] ?? '') && !('b' in one && gone.has(ids[one.b] ?? '')),
          );
          const before = groups;
          const outcomes = await Promise.all(alive.map((one) => run(one, ids, before)));
          groups = await checkedGroups(ids);
          for (const [index, one] of alive.entries()) {
            if (outcomes[index] !== 'ok') continue;
            if (one.kind === 'delete') gone.add(ids[one.a] ?? '');
            if (mayPart(alive.filter((_, other) => other !== index)) || !('b' in one) || one.a === one.b)
              continue;
            expect(groups.get(ids[one.a] ?? '')).toBe(groups.get(ids[one.b] ?? ''));
            expect(groups.get(ids[one.a] ?? '') ?? null).not.toBeNull();
          }
          if (mayPart(alive)) continue;
          // Who was together before stays together: links and merges part nobody.
          for (const same of Map.groupBy(before, ([, groupId]) => groupId ?? '').values()) {
            if (same.some(([, groupId]) => groupId === null)) continue;
            expect(new Set(same.map(([id]) => groups.get(id))).size).toBe(1);
          }
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  },
  120_000 + runs * 5000,
);
