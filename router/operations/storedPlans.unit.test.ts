import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { composeFederation } from '../../test/support/execution/federationFixture.ts';
import { planHere } from '../../test/support/execution/planHere.ts';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { createEngine } from '../execution/createEngine.ts';
import type { Prepared, Refused } from '../execution/Engine.ts';
import { noPlanner } from '../execution/planner/Planner.ts';
import { createLocalTransport } from '../transport/localTransport.ts';
import { PlanRecord, readStoredPlans, withStoredPlans } from './storedPlans.ts';

const federation = composeFederation({
  one: {
    typeDefs: 'type Query { thing: Thing } type Thing @key(fields: "id") { id: ID! name: String }',
    resolvers: { Query: { thing: () => ({ id: '1', name: 'a' }) } },
  },
  two: {
    typeDefs: 'type Query { other: Int } type Thing @key(fields: "id") { id: ID! size: Int }',
    resolvers: { Query: { other: () => 2 }, Thing: { size: () => 3 } },
  },
});
const { supergraphSdl } = federation;
const transports = Object.fromEntries(
  Object.entries(federation.schemas).map(([name, schema]) => [name, createLocalTransport(schema)]),
);
const route = 'query thing($sized: Boolean!) { thing { name size @include(if: $sized) } }';

const folder = tempFolder();
let file: string;
beforeAll(async () => {
  file = path.join(folder, 'plans.json');
  const record = new PlanRecord(planHere(supergraphSdl));
  const engine = createEngine({ supergraphSdl, transports, planner: record, plansEveryVariant: true });
  ready(await engine.prepareKnown(route));
  engine.close();
  await writeFile(file, record.toText(supergraphSdl));
});

function ready(prepared: Prepared | Refused): Prepared {
  if ('errors' in prepared) throw prepared.errors[0];
  return prepared;
}

function openWithoutPlanner() {
  const find = readStoredPlans(file, supergraphSdl);
  if (find === null) throw new Error('The plans are of another supergraph.');
  return createEngine({ supergraphSdl, transports, planner: withStoredPlans(find, noPlanner) });
}

test('an operation with stored plans is executed without a planner, with any values of its conditions', async () => {
  const prepared = ready(await openWithoutPlanner().prepareKnown(route));
  expect(await prepared.execute({ sized: true }, {})).toEqual({ data: { thing: { name: 'a', size: 3 } } });
  expect(await prepared.execute({ sized: false }, {})).toEqual({ data: { thing: { name: 'a' } } });
});

test('an operation without a stored plan is refused as PLANNER_UNAVAILABLE, unless it needs no plan', async () => {
  const engine = openWithoutPlanner();
  for (const refused of [await engine.prepareKnown('{ other }'), await engine.prepare('{ other }')])
    expect(refused).toMatchObject({ errors: [{ extensions: { code: 'PLANNER_UNAVAILABLE' } }] });
  expect(await ready(await engine.prepare(route)).execute({ sized: true }, {})).toMatchObject({
    data: { thing: { size: 3 } },
  });
  expect(await ready(await engine.prepare('{ __typename }')).execute({}, {})).toEqual({
    data: { __typename: 'Query' },
  });
});

test('the planner is called only for operations without a stored plan', async () => {
  const find = readStoredPlans(file, supergraphSdl) ?? (() => undefined);
  const asked: string[] = [];
  const other = {
    ...noPlanner,
    plan: async (text: string) => {
      asked.push(text);
      return planHere(supergraphSdl).plan(text);
    },
  };
  const engine = createEngine({ supergraphSdl, transports, planner: withStoredPlans(find, other) });
  ready(await engine.prepare(route));
  expect(asked).toEqual([]);
  expect(await ready(await engine.prepare('{ other }')).execute({}, {})).toEqual({ data: { other: 2 } });
  expect(asked).toEqual(['{\n  other\n}']);
});

test('stored plans of another supergraph are ignored, and a broken file causes an error with its name', async () => {
  expect(readStoredPlans(file, `${supergraphSdl}\n# another`)).toBeNull();
  const broken = path.join(folder, 'broken.json');
  await writeFile(broken, '{');
  expect(() => readStoredPlans(broken, supergraphSdl)).toThrow(
    /^The plans in ".*broken\.json" cannot be read/,
  );
});
