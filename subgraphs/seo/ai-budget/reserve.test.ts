import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { AppError } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { firstSettings } from '../ai-settings/aiSettings.ts';
import type { StoredAiSettings } from '../ai-settings/model.ts';
import { buildSeo } from '../server.ts';
import { BudgetMeter } from './BudgetMeter.ts';
import { findBudgetLeft } from './budgetLeft.ts';
import { AiMonthModel, AiSpendingModel, AiUserDayModel } from './model.ts';
import { monthOf } from './periods.ts';
import { reserve, settle } from './reserve.ts';
import { countRequest } from './userDay.ts';

let stack: TestStack;
let context: RequestContext;
const caps = { monthlyCostCapMicros: 1000, monthlyTokenCap: 1_000_000 };
const use = { requestId: 'r1', kinds: ['seo_title'] };

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSeo] });
});
afterAll(() => stack.close());
beforeEach(async () => {
  const installationId = stack.demo.id;
  for (const model of [AiMonthModel, AiSpendingModel, AiUserDayModel])
    await model.collection.deleteMany({ installationId });
  context = stack.contextFor({ as: await stack.signIn() });
  await context.identify();
});

const month = () =>
  scoped(AiMonthModel, stack.demo.id).findOne({ month: monthOf(context.platform.now()).name });
const ledger = () => scoped(AiSpendingModel, stack.demo.id).find({}, { sort: { micros: 1 } });

function outcomesOf(results: PromiseSettledResult<unknown>[]) {
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return { passed: results.length - refused.length, refused };
}

test('fifty at once never pass the cap of the month, and those that pass use it up', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => reserve(context, caps, { ...use, micros: 70, tokens: 10 })),
  );
  const { passed, refused } = outcomesOf(results);
  expect(passed).toBe(14);
  expect(new Set(refused.map((error) => (error as AppError).code))).toEqual(
    new Set(['seo_ai_budget_exceeded']),
  );
  expect(await month()).toMatchObject({ committedMicros: 980, committedTokens: 140 });
});

test('the cap of tokens holds by itself', async () => {
  const tight = { monthlyCostCapMicros: 1000, monthlyTokenCap: 25 };
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => reserve(context, tight, { ...use, micros: 0, tokens: 10 })),
  );
  expect(outcomesOf(results).passed).toBe(2);
});

test('a refusal says when the month ends, and a new month has its own budget', async () => {
  await reserve(context, caps, { ...use, micros: 1000, tokens: 1 });
  const refusal = reserve(context, caps, { ...use, micros: 1, tokens: 1 });
  const { resetsAt } = monthOf(context.platform.now());
  await expect(refusal).rejects.toMatchObject({
    details: { period: 'month', resetsAt: resetsAt.toISOString(), retryAfter: expect.any(Number) },
  });
  stack.advance(resetsAt.getTime() - context.platform.now() + 1000);
  await reserve(context, caps, { ...use, micros: 1, tokens: 1 });
});

test('what is settled counts as it was, once, and makes room for others', async () => {
  const reserved = await reserve(context, caps, { ...use, micros: 900, tokens: 90 });
  for (let times = 0; times < 3; times += 1)
    await settle(context, reserved, { micros: 300, tokens: 30, outcome: 'reported' });
  expect(await month()).toMatchObject({ committedMicros: 300, committedTokens: 30, pending: [] });
  expect(await ledger()).toMatchObject([{ micros: 300, tokens: 30, outcome: 'reported', ...use }]);
  await reserve(context, caps, { ...use, micros: 700, tokens: 1 });
});

test('what a dead process had set aside is counted as spent, and written down as lost', async () => {
  await reserve(context, caps, { ...use, micros: 400, tokens: 40 });
  stack.advance(121_000);
  const { reservation } = await reserve(context, caps, { ...use, micros: 100, tokens: 10 });
  expect(await month()).toMatchObject({ committedMicros: 500, pending: [{ id: reservation.id }] });
  expect(await ledger()).toMatchObject([{ micros: 400, tokens: 40, outcome: 'lost' }]);
});

test('a process that died between the ledger and the month is settled by the ledger', async () => {
  const { reservation, month: name } = await reserve(context, caps, { ...use, micros: 400, tokens: 40 });
  const { id: _id, userId, requestId, at } = reservation;
  await scoped(AiSpendingModel, stack.demo.id).insert({
    _id,
    userId,
    requestId,
    at,
    month: name,
    kinds: ['seo_title'],
    micros: 50,
    tokens: 5,
    outcome: 'reported',
  });
  stack.advance(121_000);
  await reserve(context, caps, { ...use, micros: 1, tokens: 1 });
  expect(await month()).toMatchObject({ committedMicros: 51, committedTokens: 6 });
});

test('a settlement that comes after it was written off changes nothing', async () => {
  const late = await reserve(context, caps, { ...use, micros: 400, tokens: 40 });
  stack.advance(121_000);
  await reserve(context, caps, { ...use, micros: 1, tokens: 1 });
  await settle(context, late, { micros: 10, tokens: 1, outcome: 'reported' });
  expect(await month()).toMatchObject({ committedMicros: 401 });
});

test('a user has so many requests a day, of which at once none too many passes', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => countRequest(context, 7)));
  expect(outcomesOf(results).passed).toBe(7);
  await expect(countRequest(context, 0)).rejects.toMatchObject({ code: 'seo_ai_budget_exceeded' });
  stack.advance(24 * 3_600_000);
  await countRequest(context, 7);
});

test('what is left is what neither is spent nor set aside', async () => {
  await countRequest(context, 50);
  await reserve(context, caps, { ...use, micros: 400, tokens: 40 });
  const settings: StoredAiSettings = {
    ...firstSettings(stack.demo.id),
    ...caps,
    installationId: stack.demo.id,
  };
  expect(await findBudgetLeft(context, settings)).toMatchObject({
    budgetRemainingMicros: 600,
    tokensRemaining: 999_960,
    requestsLeftToday: 49,
  });
});

test('a meter pays every attempt by itself: by report, by estimate, or not at all', async () => {
  const prices = { inputPriceMicros: 1_000_000, outputPriceMicros: 2_000_000 };
  const meter = new BudgetMeter(context, { ...caps, ...prices }, use, {
    promptTokens: 100,
    completionTokens: 50,
  });
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
