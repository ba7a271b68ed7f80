import { shop } from '../../../test/support/execution/shopFixture.ts';
import { createSplit } from '../../../test/support/execution/splitFixture.ts';
import { IsolatedPlanner, type IsolatedPlannerOptions } from './IsolatedPlanner.ts';

const { supergraphSdl } = createSplit(shop).federation;
/** A valid operation that crashes the native planner. */
const deadly = '{ items { reviews { about { price price: price } } } }';
const harmless = '{ me { id } }';
const open: IsolatedPlanner[] = [];

function planner(options: Partial<IsolatedPlannerOptions> = {}): IsolatedPlanner {
  const opened = new IsolatedPlanner({ supergraphSdl, timeoutMs: 10_000, ...options });
  open.push(opened);
  return opened;
}

afterEach(() => {
  for (const opened of open.splice(0)) opened.close();
});

describe('the isolated planner', () => {
  test('returns the plan of an operation', async () => {
    const plan = await planner().plan(harmless);
    expect(plan.node).toMatchObject({ kind: 'Fetch', serviceName: 'accounts' });
  });

  test('rejects an operation without a plan with the reason of the planner', async () => {
    await expect(planner().plan('{ nothing }')).rejects.toThrow(/plan|field|selection/i);
  });

  test('rejects only the operation that crashes its process', async () => {
    const own = planner();
    const outcomes = await Promise.allSettled(
      [harmless, deadly, harmless, deadly, harmless].map((text) => own.plan(text)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('rejects an operation whose planning exceeds the time limit', async () => {
    const fields = Array.from(
      { length: 300 },
      (_, i) => `a${i}: users(first: ${i}) { favorite { title reviews { text } } }`,
    );
    await expect(planner({ timeoutMs: 1 }).plan(`{ ${fields.join(' ')} }`)).rejects.toThrow(
      'Planning the operation took too long.',
    );
  });

  test('rejects operations beyond its queue, and plans later ones', async () => {
    const own = planner({ maxWaiting: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => own.plan(harmless)));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect((await own.plan(harmless)).node).toBeDefined();
  });

  test('rejects an operation that is queued for too long as OVERLOADED', async () => {
    const own = planner({ maxWaitMs: 0 });
    const [, waited] = await Promise.allSettled([own.plan(harmless), own.plan(harmless)]);
    expect(waited).toMatchObject({ status: 'rejected', reason: { extensions: { code: 'OVERLOADED' } } });
  });

  test('rejects queued operations when it is closed, and starts again for a later one', async () => {
    const own = planner();
    const waiting = [own.plan(harmless), own.plan(harmless)];
    own.close();
    for (const plan of waiting) await expect(plan).rejects.toThrow('The planner was closed.');
    expect((await own.plan(harmless)).node).toBeDefined();
  });

  test('plans an operation after its idle process has ended', async () => {
    const own = planner({ idleMs: 0 });
    expect((await own.plan(harmless)).node).toBeDefined();
    await new Promise(setImmediate);
    expect((await own.plan(harmless)).node).toBeDefined();
  });

  test.each([
    ['not a schema', 'type Query {'],
    ['truncated', supergraphSdl.slice(0, supergraphSdl.length / 2)],
    ['a cause of a crash of the planner', supergraphSdl.replaceAll('type User', 'type Zzz')],
  ])(
    'rejects every operation for a supergraph that is %s, without ending this process',
    async (_title, broken) => {
      await expect(planner({ supergraphSdl: broken }).plan(harmless)).rejects.toThrow(Error);
    },
  );
});
