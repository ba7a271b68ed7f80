import { openWorld, type World } from './openWorld.ts';
import { type EntityOutcome, entityTypes, runEntities } from './runEntities.ts';
import { runNested } from './runNested.ts';

let world: World;
let entities: EntityOutcome[];
let nested: Awaited<ReturnType<typeof runNested>>;
beforeAll(async () => {
  world = await openWorld();
  nested = await runNested(world);
  entities = await runEntities(world);
}, 120_000);
afterAll(() => world.app.close());

test('every entity type of every subgraph has a row', () => {
  const types = new Set(entities.map(({ row }) => `${row.subgraph} ${row.type}`));
  expect([...types].sort()).toEqual(entityTypes().sort());
  expect(entities.reduce((sum, { cells }) => sum + cells, 0)).toBeGreaterThan(3000);
});

test.each(entityTypes())('%s, asked through _entities, answers the callers that its rule allows', (type) => {
  const ofType = entities.filter(({ row }) => `${row.subgraph} ${row.type}` === type);
  expect(ofType.flatMap(({ faults }) => faults)).toEqual([]);
});

test('a field that is reached through another field keeps its guard', () => {
  expect(nested.faults).toEqual([]);
  expect(nested.cells).toBeGreaterThan(100);
});
