import fc from 'fast-check';
import { product } from '../../../test/support/product.ts';
import { newId } from '../../platform/ids/newId.ts';
import { checkGroups, outcomeOf } from '../fixture/checkGroups.ts';
import { openDesk, ref } from '../fixture/openDesk.ts';
import { forgetObject } from './forgetObject.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';

/** Random histories; `RACE_ROUNDS=1000` runs more. */
const runs = Number(process.env.RACE_ROUNDS ?? 12);

const world = product();
const configured = ['en', 'fr', 'de', 'ar'].map((code) => ({ code }));
const { people, storeCars } = openDesk(world, configured);

/** Languages of the objects of a history, which are named by their index. */
const languages = ['en', 'fr', 'de', 'ar', 'en', 'fr', 'de'] as const;
const object = fc.nat({ max: languages.length - 1 });
const onConflict = fc.constantFrom('REJECT', 'MOVE', 'REPLACE');
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind('link'), a: object, b: object, onConflict }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('unlink'), a: object }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('merge'), a: object, b: object }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('source'), a: object }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('delete'), a: object }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
/** Steps follow each other; the actions of one step start together. */
const history = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 });

/** Group of every object, by its id. */
type Groups = ReadonlyMap<string, string | null>;

const refusals = [
  'ok',
  'language_taken',
  'object_in_other_group',
  'relation_not_found',
  'merge_conflict',
  'self_relation',
  'object_not_found',
  'related_object_not_found',
  'group_busy',
];

async function erase(id: string): Promise<void> {
  const { platform } = world.stack;
  const context = { installationId: world.market.installation.id, platform, viewer: { id: 'test' } };
  await inRelationTransaction((session) =>
    forgetObject({ context, session, now: new Date() }, { type: 'listing', id }, 'en'),
  );
}

function run(step: Action, ids: readonly string[], groups: Groups): Promise<unknown> {
  const { editor } = people;
  const id = ids[step.a] ?? '';
  const groupOf = (index: number): string => groups.get(ids[index] ?? '') ?? newId('group');
  switch (step.kind) {
    case 'link': {
      const relatedTo = ref(ids[step.b] ?? '');
      return editor.linkRelation({ object: ref(id), relatedTo, onConflict: step.onConflict });
    }
    case 'unlink':
      return editor.unlinkRelation({ objectType: 'LISTING', objectId: id });
    case 'merge':
      return editor.mergeRelationGroups({ fromGroupId: groupOf(step.a), intoGroupId: groupOf(step.b) });
    case 'source':
      return editor.setRelationSource({ groupId: groupOf(step.a), object: ref(id) });
    case 'delete':
      return erase(id);
  }
}

/** Whether a step may separate objects: those that leave, and those that lose their group to others. */
function maySeparate(step: readonly Action[], objects?: readonly number[]): boolean {
  return step.some(
    ({ kind, a, ...rest }) =>
      (kind === 'unlink' && (objects?.includes(a) ?? true)) ||
      kind === 'delete' ||
      ('onConflict' in rest && rest.onConflict !== 'REJECT'),
  );
}

async function play(steps: readonly Action[][]): Promise<void> {
  const ids = await storeCars(languages);
  const gone = new Set<string>();
  let groups: Groups = new Map();
  for (const step of steps) {
    const isGone = (index: number) => gone.has(ids[index] ?? '');
    const alive = step.filter((one) => !isGone(one.a) && !('b' in one && isGone(one.b)));
    const before = groups;
    const answers = await Promise.all(alive.map((one) => run(one, ids, before)));
    const outcomes = answers.map(outcomeOf);
    for (const outcome of outcomes) expect(refusals).toContain(outcome);
    groups = await checkGroups(world.market.installation.id);
    const groupOf = (index: number) => groups.get(ids[index] ?? '') ?? null;
    for (const [index, one] of alive.entries()) {
      if (outcomes[index] !== 'ok') continue;
      if (one.kind === 'delete') gone.add(ids[one.a] ?? '');
      if (!('b' in one) || one.a === one.b) continue;
      const others = alive.filter((_, other) => other !== index);
      if (maySeparate(others, [one.a, one.b])) continue;
      expect(groupOf(one.a)).toBe(groupOf(one.b));
      expect(groupOf(one.a)).not.toBeNull();
    }
    if (maySeparate(alive)) continue;
    // Links and merges separate no objects.
    for (const same of Map.groupBy(before, ([, groupId]) => groupId).values()) {
      if (same.some(([, groupId]) => groupId === null)) continue;
      expect(new Set(same.map(([id]) => groups.get(id))).size).toBe(1);
    }
  }
}

const join = (a: number, b: number): Action => ({ kind: 'link', a, b, onConflict: 'REJECT' });
const leave = (a: number): Action => ({ kind: 'unlink', a });
/** Histories in which links were lost before, or could be. */
const known: Action[][][] = [
  [[join(1, 0), join(5, 0)]],
  [[join(1, 0), join(0, 1)]],
  [[join(1, 0), join(2, 1)]],
  [[join(1, 0)], [join(2, 0), leave(0)]],
  [[join(1, 0)], [join(2, 0), leave(1)]],
  [[join(1, 0), join(2, 1), join(0, 2)]],
  [[join(1, 0), join(5, 0), join(0, 5)]],
  [[join(1, 0), join(5, 2), join(2, 0)]],
  [
    [join(1, 0), join(2, 4)],
    [join(1, 4), join(2, 0), leave(1)],
  ],
];

test(
  'concurrent links, moves, merges, unlinks and deletions keep the rules of groups and lose no answered link',
  () => {
    const examples = [...known, ...known].map((steps): [Action[][]] => [steps]);
    const options = { numRuns: runs + examples.length, examples, endOnFailure: true };
    return fc.assert(fc.asyncProperty(history, play), options);
  },
  120_000 + runs * 5000,
);
