import { openWorld, type World } from '../world/openWorld.ts';
import { type EntityOutcome, entityTypes, runEntities, type SubgraphName } from './runEntities.ts';

/** Declares the tests of the matrix through `_entities` of these subgraphs, and returns the world that they run in. */
export function describeEntities(subgraphs: readonly SubgraphName[]): () => World {
  let world: World;
  let entities: EntityOutcome[];
  beforeAll(async () => {
    world = await openWorld();
    entities = await runEntities(world, subgraphs);
  }, 120_000);
  afterAll(() => world.app.close());

  test('every entity type has a row in the matrix', () => {
    const types = new Set(entities.map(({ row }) => `${row.subgraph} ${row.type}`));
    expect([...types].sort()).toEqual(entityTypes(subgraphs).sort());
    expect(entities.reduce((sum, { cells }) => sum + cells, 0)).toBeGreaterThan(500);
  });

  test.each(entityTypes(subgraphs))(
    '%s, requested through _entities, is returned only to the callers that its rule allows',
    (type) => {
      const ofType = entities.filter(({ row }) => `${row.subgraph} ${row.type}` === type);
      expect(ofType.length).toBeGreaterThan(0);
      expect(ofType.flatMap(({ faults }) => faults)).toEqual([]);
    },
  );
  return () => world;
}
