import { product } from '../../../../test/support/product.ts';
import { interceptWrites } from '../../../../test/support/stack/interceptWrites.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { firstSettings } from '../settings/aiSettings.ts';
import { BudgetMeter } from './BudgetMeter.ts';
import { findBudgetLeft } from './budgetLeft.ts';
import { AiMonthModel, AiSpendingModel } from './model.ts';
import { monthOf } from './periods.ts';
import { reserve, settle } from './reserve.ts';
import { countRequest } from './userDay.ts';

const world = product();
let context: RequestContext;
const caps = { monthlyCostCapMicros: 1000, monthlyTokenCap: 1_000_000 };
const use = { requestId: 'r1', kinds: ['seo_title'] };
/** More than a request may take. */
const lifetimeMs = 121_000;

// A budget belongs to an installation, so every test has its own.
beforeEach(async () => {
  world.stack.resetClock();
  const shop = await world.neighbour();
  const { token } = await shop.staff('editor');
  context = world.stack.contextFor({ as: token, installation: shop.installation });
  await context.identify();
});
afterEach(() => interceptWrites(null));

const month = () =>
  scoped(AiMonthModel, context.installationId).findOne({ month: monthOf(context.platform.now()).name });
const ledger = () => scoped(AiSpendingModel, context.installationId).find({}, { sort: { micros: 1 } });
const spend = (micros: number, tokens: number, within = caps) =>
  reserve(context, within, { ...use, micros, tokens });

/** Settles concurrent calls; answers how many succeeded, all others being beyond the budget. */
async function countPassed(calls: Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(calls);
  const refused = results.filter((result) => result.status === 'rejected');
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'seo_ai_budget_exceeded' });
  return results.length - refused.length;
}

test('concurrent reservations never exceed the cost cap of the month', async () => {
  expect(await countPassed(Array.from({ length: 50 }, () => spend(70, 10)))).toBe(14);
  expect(await month()).toMatchObject({ committedMicros: 980, committedTokens: 140 });
});

test('concurrent reservations never exceed the token cap of the month', async () => {
  const tight = { ...caps, monthlyTokenCap: 25 };
  expect(await countPassed(Array.from({ length: 10 }, () => spend(0, 10, tight)))).toBe(2);
});

test('a refusal states the end of the month, and the next month has a budget of its own', async () => {
  await spend(1000, 1);
  const { resetsAt } = monthOf(context.platform.now());
  const details = { period: 'month', resetsAt: resetsAt.toISOString(), retryAfter: expect.any(Number) };
  await expect(spend(1, 1)).rejects.toMatchObject({ details });
  world.stack.advance(resetsAt.getTime() - context.platform.now() + 1000);
  await spend(1, 1);
});

test('a settlement counts the actual cost once and frees the rest of the reservation', async () => {
  const reserved = await spend(900, 90);
  for (let times = 0; times < 3; times += 1)
    await settle(context, reserved, { micros: 300, tokens: 30, outcome: 'reported' });
  expect(await month()).toMatchObject({ committedMicros: 300, committedTokens: 30, pending: [] });
  expect(await ledger()).toMatchObject([{ micros: 300, tokens: 30, outcome: 'reported', ...use }]);
  await spend(700, 1);
});

test('a settlement after its reservation was written off changes nothing', async () => {
  const late = await spend(400, 40);
  world.stack.advance(lifetimeMs);
  await spend(1, 1);
  await settle(context, late, { micros: 10, tokens: 1, outcome: 'reported' });
  expect(await month()).toMatchObject({ committedMicros: 401 });
});

test('after a process ends before any write of a request, the month and its ledger agree', async () => {
  const request = async () => {
    await settle(context, await spend(7, 5), { micros: 3, tokens: 2, outcome: 'reported' });
  };
  const outcomes: (string | undefined)[] = [];
  for (let isCut = true, cutAt = 1; isCut; cutAt += 1) {
    let writes = 0;
    isCut = await new Promise<boolean>((end, fail) => {
      interceptWrites((_, run) => {
        writes += 1;
        if (writes < cutAt) return run();
        end(true);
        return new Promise(() => undefined);
      });
      request().then(() => end(false), fail);
    });
    interceptWrites(null);
    world.stack.advance(lifetimeMs);
    const { reservation } = await spend(0, 0);
    const rows = await ledger();
    const sum = (member: 'micros' | 'tokens') => rows.reduce((total, row) => total + row[member], 0);
    const committed = { committedMicros: sum('micros'), committedTokens: sum('tokens') };
    expect(await month()).toMatchObject({ ...committed, pending: [{ id: reservation.id }] });
    for (const { outcome, micros, tokens } of rows.filter(({ micros: spent }) => spent > 0))
      expect([micros, tokens]).toEqual(outcome === 'lost' ? [7, 5] : [3, 2]);
    outcomes.push(...rows.map(({ outcome }) => outcome));
  }
  expect(new Set(outcomes)).toEqual(new Set(['lost', 'reported']));
});

test('concurrent requests of a user never exceed the daily number', async () => {
  expect(await countPassed(Array.from({ length: 20 }, () => countRequest(context, 7)))).toBe(7);
  await expect(countRequest(context, 0)).rejects.toMatchObject({ code: 'seo_ai_budget_exceeded' });
  world.stack.advance(24 * 3_600_000);
  await countRequest(context, 7);
});

test('the remaining budget excludes what is spent and what is reserved', async () => {
  await countRequest(context, 50);
  await spend(400, 40);
  const { installationId } = context;
  const settings = { ...firstSettings(installationId), ...caps, installationId };
  expect(await findBudgetLeft(context, settings)).toMatchObject({
    budgetRemainingMicros: 600,
    tokensRemaining: 999_960,
    requestsLeftToday: 49,
  });
});

test('a meter charges each attempt by report, by estimate or not at all', async () => {
  const prices = { inputPriceMicros: 1_000_000, outputPriceMicros: 2_000_000 };
  const estimate = { promptTokens: 100, completionTokens: 50 };
  const meter = new BudgetMeter(context, { ...caps, ...prices }, use, estimate);
  await (await meter.begin()).settle('none');
  await (await meter.begin()).settle({ promptTokens: 10, completionTokens: 5 });
  expect(meter.usage).toEqual({ promptTokens: 10, completionTokens: 5, costMicros: 20, estimated: false });
  await (await meter.begin()).settle('unknown');
  expect(meter.usage).toEqual({ promptTokens: 110, completionTokens: 55, costMicros: 220, estimated: true });
  expect((await ledger()).map(({ micros, outcome }) => [micros, outcome])).toEqual([
    [0, 'free'],
    [20, 'reported'],
    [200, 'estimated'],
  ]);
  expect(await month()).toMatchObject({ committedMicros: 220, pending: [] });
});
