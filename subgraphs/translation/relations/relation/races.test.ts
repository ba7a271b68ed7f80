import fc from 'fast-check';
import mongoose from 'mongoose';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { checkGroups, outcomeOf } from '../../fixture/checkGroups.ts';
import { openDesk, ref } from '../../fixture/openDesk.ts';
import { inRelationTransaction } from '../../records/memberships/inRelationTransaction.ts';
import { forgetObject } from '../erasure/forgetObject.ts';

/** Rounds of concurrent writers. `RACE_ROUNDS=1000` runs more. */
const rounds = Number(process.env.RACE_ROUNDS ?? 3);

const world = product();
const languages = ['en', 'fr', 'de', ...[...'abcdefghijklmnopqrstuvw'].map((letter) => `q${letter}a`)];
const { people, storeCars } = openDesk(
  world,
  languages.map((code) => ({ code })),
);

type Mode = 'REJECT' | 'MOVE' | 'REPLACE';
const link = (object: string, relatedTo: string, onConflict: Mode = 'REJECT') =>
  people.editor.linkRelation({ object: ref(object), relatedTo: ref(relatedTo), onConflict });
const linkTo = async (object: string, relatedTo: string, onConflict?: Mode) =>
  outcomeOf(await link(object, relatedTo, onConflict));
const unlink = async (objectId: string) =>
  outcomeOf(await people.editor.unlinkRelation({ objectType: 'LISTING', objectId }));
const checkAll = () => checkGroups(world.market.installation.id);
const countOk = (outcomes: readonly string[]) => outcomes.filter((code) => code === 'ok').length;

test('concurrent links to one group all succeed', async () => {
  const [source = '', ...others] = await storeCars(languages);
  const join = async (other: string): Promise<string> => {
    const outcome = await linkTo(other, source);
    // A writer that waits too long on a slow machine is asked to retry.
    return outcome === 'group_busy' ? join(other) : outcome;
  };
  expect(countOk(await Promise.all(others.map(join)))).toBe(others.length);
  const groups = await checkAll();
  expect(new Set([source, ...others].map((id) => groups.get(id))).size).toBe(1);
}, 60_000);

test('concurrent equal links create one group', async () => {
  const [source = '', french = ''] = await storeCars(['en', 'fr']);
  const answers = await concurrently(12, () => link(french, source));
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(answers.map(({ group }) => group.id)).size).toBe(1);
  await checkAll();
}, 60_000);

test('one of several concurrent links in the same language succeeds, and the others are refused', async () => {
  const [source = '', ...rivals] = await storeCars(['en', ...Array(12).fill('fr')]);
  const outcomes = await Promise.all(rivals.map((rival) => linkTo(rival, source)));
  expect(countOk(outcomes)).toBe(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'language_taken']));
  await checkAll();
}, 60_000);

test('one of several concurrent translations into the same language is created, and the others are refused', async () => {
  const [source = ''] = await storeCars(['en']);
  const input = { source: ref(source), language: 'de' };
  const create = async () => outcomeOf(await people.editor.createTranslation(input));
  const outcomes = await concurrently(12, create);
  expect(countOk(outcomes)).toBe(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'translation_exists']));
  await checkAll();
}, 60_000);

test('a change that always conflicts is refused with Retry-After before its request times out', async () => {
  let attempts = 0;
  const change = inRelationTransaction(async () => {
    attempts += 1;
    const error = new mongoose.mongo.MongoError('Write conflict');
    error.addErrorLabel('TransientTransactionError');
    throw error;
  });
  await expect(change).rejects.toMatchObject({ code: 'group_busy', details: { retryAfter: 1 } });
  expect(attempts).toBeGreaterThan(1);
}, 60_000);

/** The possible outcomes of concurrent writers. */
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

/** Links all objects in the three modes, mostly to the same object, and unlinks some, concurrently. */
function writeAll(ids: readonly string[], round: number): Promise<string[]> {
  const modes = ['REJECT', 'MOVE', 'REPLACE'] as const;
  return Promise.all(
    ids.map((id, index) => {
      const way = (index * 7 + round * 3) % 10;
      const anchor = ids[(way === 9 ? index + round : round) % ids.length] ?? '';
      return way < 3 ? unlink(id) : linkTo(id, anchor, modes[way % 3]);
    }),
  );
}

test(
  '50 concurrent writers all receive an outcome and keep the invariants of groups',
  async () => {
    const codes = ['en', 'fr', 'de', 'qaa', 'qba'];
    const ids = await storeCars(Array.from({ length: 50 }, (_, index) => codes[index % codes.length] ?? ''));
    const outcomes: string[] = [];
    for (let round = 0; round < rounds - 1; round += 1) outcomes.push(...(await writeAll(ids, round)));
    for (const code of outcomes) expect(refusals).toContain(code);
    expect(countOk(outcomes)).toBeGreaterThan(0);
    await checkAll();
  },
  60_000 + rounds * 10_000,
);

/** Languages of the objects of a history, which are named by their index. */
const ofObjects = ['en', 'fr', 'de', 'qaa', 'en', 'fr', 'de'] as const;
const object = fc.nat({ max: ofObjects.length - 1 });
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
/** Steps run sequentially. The actions of one step start together. */
const history = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 5 });

/** Group of every object, by its id. */
type Groups = ReadonlyMap<string, string | null>;

/** Erases an object as the job does, and retries if its group is busy. */
async function erase(id: string): Promise<void> {
  const { platform } = world.stack;
  const context = { installationId: world.market.installation.id, platform, viewer: { id: 'test' } };
  await forgetObject(context, { type: 'listing', id }, 'en').catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'group_busy')) throw error;
    return erase(id);
  });
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

/** Whether a step may separate objects, because they leave their group or are replaced in it. */
function maySeparate(step: readonly Action[], objects?: readonly number[]): boolean {
  return step.some(
    ({ kind, a, ...rest }) =>
      (kind === 'unlink' && (objects?.includes(a) ?? true)) ||
      kind === 'delete' ||
      ('onConflict' in rest && rest.onConflict !== 'REJECT'),
  );
}

async function play(steps: readonly Action[][]): Promise<void> {
  const ids = await storeCars(ofObjects);
  const gone = new Set<string>();
  let groups: Groups = new Map();
  for (const step of steps) {
    const isGone = (index: number) => gone.has(ids[index] ?? '');
    const alive = step.filter((one) => !isGone(one.a) && !('b' in one && isGone(one.b)));
    const before = groups;
    const answers = await Promise.all(alive.map((one) => run(one, ids, before)));
    const outcomes = answers.map(outcomeOf);
    for (const outcome of outcomes) expect(refusals).toContain(outcome);
    groups = await checkAll();
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
/** Histories in which links were lost before, or could be lost. */
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
  'concurrent links, moves, merges, unlinks and deletions keep the invariants of groups and lose no link',
  () => {
    const examples = [...known, ...known].map((steps): [Action[][]] => [steps]);
    const options = {
      numRuns: 4 * rounds + examples.length,
      examples,
      endOnFailure: true,
      includeErrorInReport: true,
    };
    return fc.assert(fc.asyncProperty(history, play), options);
  },
  120_000 + rounds * 20_000,
);
