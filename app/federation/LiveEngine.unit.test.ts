import type { Engine } from '../../router/execution/Engine.ts';
import { type EngineParts, LiveEngine } from './LiveEngine.ts';

function parts(name: string, closed: string[]): EngineParts {
  return {
    engine: { subgraphNames: [name] } as unknown as Engine,
    close: async () => void closed.push(name),
  };
}

test('a request keeps the engine it started with, and that engine closes after its last request', async () => {
  const closed: string[] = [];
  const live = new LiveEngine(parts('old', closed));
  const leases = [live.lease(), live.lease()] as const;
  live.replace(parts('new', closed));
  expect(leases.map(({ parts: { engine } }) => engine.subgraphNames[0])).toEqual(['old', 'old']);
  expect(live.lease().parts.engine.subgraphNames).toEqual(['new']);
  leases[0].release();
  await new Promise(setImmediate);
  expect(closed).toEqual([]);
  leases[1].release();
  await new Promise(setImmediate);
  expect(closed).toEqual(['old']);
});

test('closing waits for the running requests of every engine', async () => {
  const closed: string[] = [];
  const live = new LiveEngine(parts('old', closed));
  const before = live.lease();
  live.replace(parts('new', closed));
  const after = live.lease();
  const closing = live.close();
  before.release();
  await new Promise(setImmediate);
  expect(closed).toEqual(['old']);
  after.release();
  await closing;
  expect(closed).toEqual(['old', 'new']);
});
