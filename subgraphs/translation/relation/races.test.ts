import mongoose from 'mongoose';
import { concurrently } from '../../../test/support/concurrently.ts';
import { product } from '../../../test/support/product.ts';
import { checkGroups, outcomeOf } from '../fixture/checkGroups.ts';
import { openDesk, ref } from '../fixture/openDesk.ts';
import { inLine } from './inLine.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';

/** Rounds of concurrent writers; `RACE_ROUNDS=1000` runs more. */
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

test('concurrent writers to one group are all admitted', async () => {
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

test('of concurrent objects in one language one is linked and the others are refused', async () => {
  const [source = '', ...rivals] = await storeCars(['en', ...Array(12).fill('fr')]);
  const outcomes = await Promise.all(rivals.map((rival) => linkTo(rival, source)));
  expect(countOk(outcomes)).toBe(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'language_taken']));
  await checkAll();
}, 60_000);

test('of concurrent translations into one language one is created', async () => {
  const [source = ''] = await storeCars(['en']);
  const input = { source: ref(source), language: 'de' };
  const create = async () => outcomeOf(await people.editor.createTranslation(input));
  const outcomes = await concurrently(12, create);
  expect(countOk(outcomes)).toBe(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'translation_exists']));
  await checkAll();
}, 60_000);

test('a change that always conflicts is refused with a time to retry before its request times out', async () => {
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

test('changes of the same group run in order, two concurrently, and block no other group', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const queue = (name: string, groups: string[], patienceMs = 60_000) =>
    inLine(groups, patienceMs, async (waited) => {
      begun.push(waited ? `${name} late` : name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    });
  const [first, second, third] = [queue('1', ['a']), queue('2', ['a', 'b']), queue('3', ['a', 'b'])];
  const other = queue('4', ['c']);
  expect(begun).toEqual(['1', '2', '4']);
  expect(await queue('5', ['a'], 1)).toBeNull();
  ends.shift()?.();
  expect(await first).toEqual({ result: '1' });
  while (begun.length < 4) await new Promise((soon) => setImmediate(soon));
  expect(begun.at(-1)).toBe('3 late');
  for (const end of ends) end();
  expect([await second, await third, await other]).toEqual(['2', '3', '4'].map((result) => ({ result })));
});

const refusals = ['ok', 'language_taken', 'object_in_other_group', 'relation_not_found', 'group_busy'];

/** Links in all three modes and unlinks of all objects concurrently, around one of them and a few others. */
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
  'fifty concurrent writers are all answered and leave groups that keep their rules',
  async () => {
    const codes = ['en', 'fr', 'de', 'qaa', 'qba'];
    const ids = await storeCars(Array.from({ length: 50 }, (_, index) => codes[index % codes.length] ?? ''));
    const outcomes: string[] = [];
    for (let round = 0; round < rounds - 1; round += 1) outcomes.push(...(await writeAll(ids, round)));
    for (const code of outcomes) expect([...refusals, 'self_relation']).toContain(code);
    expect(countOk(outcomes)).toBeGreaterThan(0);
    await checkAll();
  },
  60_000 + rounds * 10_000,
);
