import { runNested } from '../matrix/runNested.ts';
import { describeEntities } from './describeEntities.ts';

const world = describeEntities(['identity']);

test('a field that is reached through another field keeps its guard', async () => {
  const { faults, cells } = await runNested(world());
  expect(faults).toEqual([]);
  expect(cells).toBeGreaterThan(100);
});
