import mongoose from 'mongoose';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { openShop, type Shop } from '../fixture/openShop.ts';
import { create, link, unlink } from '../fixture/operations.ts';
import { createLanguageSettings } from '../language/createLanguageSettings.ts';
import { slotKeyOf, TranslationModel } from '../translation/model.ts';
import { inLine } from './inLine.ts';
import { inRelationTransaction } from './inRelationTransaction.ts';
import { RelationGroupModel } from './model.ts';

/** Rounds of every scenario; many more before a release: `RACE_ROUNDS=1000`. */
const rounds = Number(process.env.RACE_ROUNDS ?? 3);

/** Languages of the installation in which everything happens; the first one is the default. */
const languages = ['en', 'fr', 'de', ...[...'abcdefghijklmnopqrstuvw'].map((letter) => `q${letter}a`)];

let shop: Shop;
let call: NonNullable<Parameters<Shop['ask']>[2]>;
beforeAll(async () => {
  shop = await openShop();
  const installation = shop.stack.other;
  await createLanguageSettings(installation, { languages: languages.map((code) => ({ code })) });
  call = { as: await shop.stack.signIn({ installation, roles: ['editor'] }), installation };
});
afterAll(() => shop.stack.close());

const listing = (languageTag: string): string =>
  shop.listing({ languageTag, installationId: shop.stack.other.id, ownerId: newId('dealer') });

/** Code of the refusal, or `ok`; an error that is no refusal fails the test. */
async function outcome(source: string, input: object): Promise<string> {
  const { errors } = await shop.stack.execute(source, { input }, call);
  if (!errors) return 'ok';
  const problem = errors[0]?.extensions.problem as { code: string; status: number } | undefined;
  if (!problem || problem.status >= 500) throw errors[0]?.originalError ?? errors[0];
  return problem.code;
}

const linkTo = (object: string, relatedTo: string, onConflict = 'REJECT'): Promise<string> =>
  outcome(link, {
    object: { type: 'LISTING', id: object },
    relatedTo: { type: 'LISTING', id: relatedTo },
    onConflict,
  });
const unlinkIt = (objectId: string): Promise<string> => outcome(unlink, { objectType: 'LISTING', objectId });

/** Group of every object by its id, after the rules of groups were checked on the whole collection. */
async function checkedGroups(): Promise<Map<string, string | null>> {
  const { id } = shop.stack.other;
  const records = await scoped(TranslationModel, id).find({}, { sort: { _id: 1 } });
  const groups = await scoped(RelationGroupModel, id).find({}, { sort: { _id: 1 } });
  const open = new Set(groups.filter(({ closed }) => !closed).map(({ _id }) => _id));
  const members = Map.groupBy(records, ({ groupId }) => groupId);
  for (const record of records)
    expect(record.slotKey).toBe(slotKeyOf(record._id, record.groupId, record.language));
  for (const groupId of open) expect(members.get(groupId)?.length ?? 0).toBeGreaterThan(1);
  for (const [groupId, group] of members) {
    if (groupId === null) continue;
    expect(open).toContain(groupId);
    expect(group.filter(({ isSource }) => isSource)).toHaveLength(1);
    expect(new Set(group.map(({ language }) => language)).size).toBe(group.length);
  }
  return new Map(records.map(({ objectId, groupId }) => [objectId, groupId]));
}

test('many writers on one group all get in, one after the other', async () => {
  const source = listing('en');
  const others = languages.slice(1).map((language) => listing(language));
  const getIn = async (other: string): Promise<string> => {
    const outcome = await linkTo(other, source);
    // Whoever waits too long on a busy machine is told to come back, and does.
    return outcome === 'group_busy' ? getIn(other) : outcome;
  };
  const outcomes = await Promise.all(others.map(getIn));
  expect(outcomes).toEqual(others.map(() => 'ok'));
  const groups = await checkedGroups();
  expect(new Set([source, ...others].map((id) => groups.get(id))).size).toBe(1);
}, 60_000);

test('the same link many times at once is made once, and all of them are told that it is there', async () => {
  const input = {
    object: { type: 'LISTING', id: listing('fr') },
    relatedTo: { type: 'LISTING', id: listing('en') },
  };
  const answers = await Promise.all(Array.from({ length: 12 }, () => shop.ask(link, { input }, call)));
  expect(answers.filter(({ linkRelation }) => linkRelation.created)).toHaveLength(1);
  expect(new Set(answers.map(({ linkRelation }) => linkRelation.group.id)).size).toBe(1);
  await checkedGroups();
}, 60_000);

test('of many objects of one language exactly one gets in, and the others are told who', async () => {
  const source = listing('en');
  const rivals = Array.from({ length: 12 }, () => listing('fr'));
  const outcomes = await Promise.all(rivals.map((rival) => linkTo(rival, source)));
  expect(outcomes.filter((code) => code === 'ok')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'language_taken']));
  await checkedGroups();
}, 60_000);

test('of many translations into one language exactly one comes to be', async () => {
  const source = { type: 'LISTING', id: listing('en') };
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => outcome(create, { source, language: 'de' })),
  );
  expect(outcomes.filter((code) => code === 'ok')).toHaveLength(1);
  expect(new Set(outcomes)).toEqual(new Set(['ok', 'translation_exists']));
  await checkedGroups();
}, 60_000);

test('a change that others beat all the time is told to come back, before anybody gives up waiting for it', async () => {
  let attempts = 0;
  const beaten = inRelationTransaction(async () => {
    attempts += 1;
    const error = new mongoose.mongo.MongoError('Somebody else was faster.');
    error.addErrorLabel('TransientTransactionError');
    throw error;
  });
  await expect(beaten).rejects.toMatchObject({ code: 'group_busy', details: { retryAfter: 1 } });
  expect(attempts).toBeGreaterThan(1);
}, 60_000);

test('those who change the same thing come up in their order, two at a time, and others do not wait for them', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const stand = (who: string, names: string[], patienceMs = 60_000) =>
    inLine(names, patienceMs, async (waited) => {
      begun.push(waited ? `${who} late` : who);
      await new Promise<void>((end) => ends.push(end));
      return who;
    });
  const [first, second, third] = [stand('1', ['a']), stand('2', ['a', 'b']), stand('3', ['a', 'b'])];
  const stranger = stand('4', ['c']);
  expect(begun).toEqual(['1', '2', '4']);
  expect(await stand('5', ['a'], 1)).toBeNull();
  ends.shift()?.();
  expect(await first).toEqual({ result: '1' });
  while (begun.length < 4) await new Promise((soon) => setImmediate(soon));
  expect(begun.at(-1)).toBe('3 late');
  for (const end of ends) end();
  expect([await second, await third, await stranger]).toEqual(['2', '3', '4'].map((result) => ({ result })));
});

interface Operation {
  object: string;
  /** Linked to it; without it the object is unlinked. */
  anchor?: string;
}

/** Operations that start together, on objects named by a letter, in these languages, after these links. */
const scenarios: [string, Record<string, string>, [string, string][], Operation[]][] = [
  ['two of one language to one object', { A: 'en', B: 'fr', C: 'fr' }, [], [op('B', 'A'), op('C', 'A')]],
  ['each to the other', { A: 'en', B: 'fr' }, [], [op('B', 'A'), op('A', 'B')]],
  ['a chain', { A: 'en', B: 'fr', C: 'de' }, [], [op('B', 'A'), op('C', 'B')]],
  ['an unlink of the source', { A: 'en', B: 'fr', C: 'de' }, [['B', 'A']], [op('C', 'A'), op('A')]],
  ['an unlink of the other one', { A: 'en', B: 'fr', C: 'de' }, [['B', 'A']], [op('C', 'A'), op('B')]],
  ['a ring', { A: 'en', B: 'fr', C: 'de' }, [], [op('B', 'A'), op('C', 'B'), op('A', 'C')]],
  ['a ring with a clash', { A: 'en', B: 'fr', C: 'fr' }, [], [op('B', 'A'), op('C', 'A'), op('A', 'C')]],
  ['four objects', { A: 'en', B: 'fr', C: 'de', D: 'fr' }, [], [op('B', 'A'), op('D', 'C'), op('C', 'A')]],
  [
    'two groups whose members change sides',
    { A: 'en', B: 'fr', C: 'en', D: 'de' },
    [
      ['B', 'A'],
      ['D', 'C'],
    ],
    [op('B', 'C'), op('D', 'A'), op('B')],
  ],
];

function op(object: string, anchor?: string): Operation {
  return { object, ...(anchor === undefined ? {} : { anchor }) };
}

test.each(scenarios)(
  'nothing that was answered is lost: %s',
  async (_, objects, links, operations) => {
    const refusals = new Set([
      'ok',
      'language_taken',
      'object_in_other_group',
      'relation_not_found',
      'group_busy',
    ]);
    for (let round = 0; round < rounds; round++) {
      const ids = new Map(Object.entries(objects).map(([name, language]) => [name, listing(language)]));
      const id = (name: string): string => ids.get(name) ?? '';
      for (const [object, anchor] of links) expect(await linkTo(id(object), id(anchor))).toBe('ok');
      const outcomes = await Promise.all(
        operations.map(({ object, anchor }) =>
          anchor === undefined
            ? unlinkIt(id(object))
            : linkTo(id(object), id(anchor), round % 3 ? 'REJECT' : 'MOVE'),
        ),
      );
      for (const code of outcomes) expect(refusals).toContain(code);
      const groups = await checkedGroups();
      if (round % 3 === 0) continue;
      const left = new Set(
        operations.flatMap(({ object, anchor }) => (anchor === undefined ? [object] : [])),
      );
      for (const [index, { object, anchor }] of operations.entries()) {
        if (outcomes[index] !== 'ok' || anchor === undefined || left.has(object) || left.has(anchor))
          continue;
        expect(groups.get(id(object))).toBe(groups.get(id(anchor)));
        expect(groups.get(id(object))).not.toBeNull();
      }
    }
  },
  60_000 + rounds * 2000,
);
