import { shop } from '../../../test/support/execution/shopFixture.ts';
import { createSplit } from '../../../test/support/execution/splitFixture.ts';
import { IsolatedPlanner, type IsolatedPlannerOptions } from './IsolatedPlanner.ts';

const { supergraphSdl } = createSplit(shop).federation;
/** A valid operation on which the native planner ends its process. */
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
  test('the isolated planner plans an operation', async () => {
    const plan = await planner().plan(harmless);
    expect(plan.node).toMatchObject({ kind: 'Fetch', serviceName: 'accounts' });
  });

  test('the isolated planner gives the planner’s reason for an operation that has no plan', async () => {
    await expect(planner().plan('{ nothing }')).rejects.toThrow(/plan|field|selection/i);
  });

  test('an operation that ends the planner’s process fails alone', async () => {
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

  test('an operation that takes too long is refused', async () => {
    const fields = Array.from(
      { length: 300 },
      (_, i) => `a${i}: users(first: ${i}) { favorite { title reviews { text } } }`,
    );
    await expect(planner({ timeoutMs: 1 }).plan(`{ ${fields.join(' ')} }`)).rejects.toThrow(
      'Planning the operation took too long.',
    );
  });

  test('more operations than may wait are refused', async () => {
    const own = planner({ maxWaiting: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => own.plan(harmless)));
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect((await own.plan(harmless)).node).toBeDefined();
  });

  test('an operation that waits too long for others is refused, as by a process that is overloaded', async () => {
    const own = planner({ maxWaitMs: 0 });
    const [, waited] = await Promise.allSettled([own.plan(harmless), own.plan(harmless)]);
    expect(waited).toMatchObject({ status: 'rejected', reason: { extensions: { code: 'OVERLOADED' } } });
  });

  test('closing refuses what waits, and a later operation starts anew', async () => {
    const own = planner();
    const waiting = [own.plan(harmless), own.plan(harmless)];
    own.close();
    for (const plan of waiting) await expect(plan).rejects.toThrow('The planner was closed.');
    expect((await own.plan(harmless)).node).toBeDefined();
  });

  test('a process without work ends, and the next operation starts another', async () => {
    const own = planner({ idleMs: 0 });
    expect((await own.plan(harmless)).node).toBeDefined();
    await new Promise(setImmediate);
    expect((await own.plan(harmless)).node).toBeDefined();
  });

  test.each([
    ['text that is no schema', 'type Query {'],
    ['one cut off in the middle', supergraphSdl.slice(0, supergraphSdl.length / 2)],
    ['one on which the planner’s process ends', supergraphSdl.replaceAll('type User', 'type Zzz')],
  ])(
    'the isolated planner plans nothing for a supergraph that is %s, and this process lives',
    async (_title, broken) => {
      await expect(planner({ supergraphSdl: broken }).plan(harmless)).rejects.toThrow(Error);
    },
  );
});
