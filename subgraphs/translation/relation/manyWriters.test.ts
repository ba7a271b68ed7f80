import { openShop, type Shop } from '../fixture/openShop.ts';
import { health, link, unlink } from '../fixture/operations.ts';

/** Rounds of fifty writers; many more before a release: `RACE_ROUNDS=1000`. */
const rounds = Number(process.env.RACE_ROUNDS ?? 2);
const writers = 50;
const tags = ['en', 'de', 'fr', 'pt-BR', 'ar'];
const ways = ['REJECT', 'MOVE', 'REPLACE'] as const;
/** What a writer may be told; whatever else is an error. */
const expected: ReadonlySet<string> = new Set([
  'ok',
  'language_taken',
  'object_in_other_group',
  'relation_not_found',
  'self_relation',
  'group_busy',
]);

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stack.close());

const named = (id: string) => ({ type: 'LISTING', id });

/** Code of the refusal, or `ok`; an error that is no refusal fails the test. */
async function outcome(source: string, input: object): Promise<string> {
  const { errors } = await shop.stack.execute(source, { input }, { as: shop.people.editor });
  if (!errors) return 'ok';
  const problem = errors[0]?.extensions.problem as { code: string; status: number } | undefined;
  if (!problem || problem.status >= 500) throw errors[0]?.originalError ?? errors[0];
  return problem.code;
}

/** Links in all three ways and unlinks, all at once, around one listing; a few meet elsewhere. */
function write(ids: readonly string[], round: number): Promise<string[]> {
  const source = ids[round % ids.length] ?? '';
  return Promise.all(
    ids.map((id, index) => {
      const way = (index * 7 + round * 3) % 10;
      if (way < 3) return outcome(unlink, { objectType: 'LISTING', objectId: id });
      const anchor = way === 9 ? (ids[(index + round) % ids.length] ?? '') : source;
      return outcome(link, { object: named(id), relatedTo: named(anchor), onConflict: ways[way % 3] });
    }),
  );
}

/** Of listings whose owner is a table of this test nobody has told. */
async function findings(): Promise<{ code: string }[]> {
  const found: { code: string }[] = [];
  let after: string | null = null;
  do {
    const { relationHealth }: any = await shop.ask(health, { after });
    found.push(...relationHealth.findings);
    after = relationHealth.next;
  } while (after !== null);
  return found.filter(({ code }) => code !== 'HEAD_MISSING');
}

test(
  'fifty writers at once, round after round: every one is answered, and the report of health stays empty',
  async () => {
    const ids = Array.from({ length: writers }, (_, index) =>
      shop.listing({ languageTag: tags[index % tags.length] ?? 'en' }),
    );
    const counts = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      for (const code of await write(ids, round)) counts.set(code, (counts.get(code) ?? 0) + 1);
      if (round % 100 === 99) expect(await findings()).toEqual([]);
    }
    expect([...counts.keys()].filter((code) => !expected.has(code))).toEqual([]);
    expect(counts.get('ok')).toBeGreaterThan(0);
    expect(await findings()).toEqual([]);
    if (rounds > 100) console.log(`${rounds} rounds of ${writers} writers:`, Object.fromEntries(counts));
  },
  60_000 + rounds * 10_000,
);
