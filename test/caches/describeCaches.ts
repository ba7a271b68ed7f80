import { type Cell, casesOf } from '../authorization/matrix/Operation.ts';
import { expect401To404 } from '../authorization/matrix/rules.ts';
import { apiSchema } from '../authorization/matrix/runMatrix.ts';
import { operations } from '../authorization/parts.ts';
import { openWorld, type World } from '../authorization/world/openWorld.ts';
import type { Who } from '../authorization/world/people.ts';
import { seeded } from '../support/seeded.ts';
import { type Answer, compareCache } from './compareCache.ts';
import { openCaches } from './openCaches.ts';
import { type RootCall, randomQuery } from './randomQuery.ts';

/** Fields that differ in two responses although nothing has changed, with the reason. */
const volatile: Readonly<Record<string, string>> = {
  'PageInfo.endCursor': 'a cursor is encrypted anew',
  'Event.cursor': 'a cursor is encrypted anew',
  'EventConnection.resumeCursor': 'a cursor is encrypted anew',
  'AdminListing.ageSeconds': 'time passes',
  'DataExport.url': 'a link is signed anew',
  'MediaDownload.url': 'a link is signed anew',
  'MediaDownload.expiresAt': 'a link is signed anew',
  'RelationHealth.checkedAt': 'time passes',
  'UploadTarget.url': 'a link is signed anew',
};

/** The cursors of the edges of lists, which are encrypted anew, too. */
const edgeCursors = Object.keys(apiSchema.getTypeMap())
  .filter((name) => name.endsWith('Edge'))
  .map((name) => `${name}.cursor`);

/** The queries that a caller may send, with arguments of the matrix of authorization. */
async function callsOf(world: World, who: Who): Promise<RootCall[]> {
  const calls: RootCall[] = [];
  for (const operation of operations) {
    if (!operation.field.startsWith('Query.')) continue;
    for (const entry of casesOf(operation)) {
      const item = entry.item ? world.items[entry.item] : null;
      const cell: Cell = { world, who, style: 'graphql', item, isAnswered: true };
      const { stepUp, withoutMfa, scope } = operation;
      const rule = entry.rule ?? operation.rule;
      const guarded = expect401To404({ rule, who, item, style: 'graphql', stepUp, withoutMfa, scope });
      if (guarded !== 'answered' || entry.meaning?.(cell)) continue;
      const { variables } = await entry.call(cell);
      calls.push({ field: operation.field, variables: { ...variables } });
    }
  }
  return calls;
}

/** Sends random queries. A field that is refused to the caller is not selected again. */
async function askRandomly(
  world: World,
  who: Who,
  { rounds, seed }: { rounds: number; seed: number },
): Promise<Answer[]> {
  const random = seeded(seed);
  const calls = await callsOf(world, who);
  const omitted = new Set([...Object.keys(volatile), ...edgeCursors]);
  const answers: Answer[] = [];
  for (let asked = 0; answers.length < rounds && asked < rounds * 5; asked += 1) {
    const query = randomQuery(random, calls, omitted);
    const { json } = await world.app.send({
      method: 'POST',
      path: '/graphql',
      token: world.tokenOf(who),
      body: { query: query.text, variables: query.variables },
    });
    if (json.errors) for (const { path = [] } of json.errors) noteRefused(path, omitted);
    else answers.push({ query, data: json.data });
  }
  return answers;
}

/** Remembers the refused field, which is the last name with a type in the path of an error. */
function noteRefused(path: readonly (string | number)[], omitted: Set<string>): void {
  const name = path.findLast((part) => typeof part === 'string' && part.includes('_'));
  if (typeof name === 'string') omitted.add(name.replace('_', '.'));
}

/** Declares the test of each caller, with this number of random queries. */
export function describeCaches(callers: readonly Who[], rounds: number): void {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  }, 120_000);
  afterAll(() => world.app.close());

  test.each(callers)(
    'the caches of Apollo Client, urql and Relay return to the %s what the server sent',
    async (who) => {
      const answers = await askRandomly(world, who, { rounds, seed: callers.indexOf(who) + 1 });
      expect(answers.length).toBeGreaterThan(rounds / 2);
      for (const cache of openCaches()) {
        const { differences, complete } = await compareCache(cache, answers);
        expect([cache.name, ...differences.slice(0, 5)]).toEqual([cache.name]);
        expect(complete).toBeGreaterThan(answers.length / 4);
      }
    },
    600_000,
  );
}
