import type { Platform } from '../../platform/context/Platform.ts';
import { sharedPool } from '../analysis/sharedPool.ts';
import { ruleset2026 } from '../engine/ruleset/ruleset2026.ts';
import type { StoredSeoRecord } from '../record/model.ts';
import { analyzeOnce } from './analyzeOnce.ts';

const platform = {} as Platform;
const page = { content: `<p>${'This tyre was made for winter roads. '.repeat(300)}</p>`, locale: 'en' };
const basis = { textId: null, contentVersion: 1, recordRevision: 0, ruleset: ruleset2026.id, repetition: 0 };

const pool = sharedPool();
const { run } = pool;
let runs = 0;
let isBusy = false;
beforeAll(() => {
  pool.run = (task, limits) => {
    runs += 1;
    return isBusy ? Promise.reject(new Error('busy')) : run(task, limits);
  };
});
beforeEach(() => {
  runs = 0;
});

function ask(id: string, changed: Partial<typeof basis> = {}, where = platform) {
  const record = { _id: id } as StoredSeoRecord;
  return analyzeOnce(where, { record, basis: { ...basis, ...changed }, ruleset: ruleset2026 }, page);
}

test('who wants the same analysis at the same time gets the same one; later it is made again', async () => {
  const [first, second] = await Promise.all([ask('seo_1'), ask('seo_1'), ask('seo_1')]);
  expect(second).toBe(first);
  expect(runs).toBe(1);
  expect(await ask('seo_1')).toEqual(first);
  expect(runs).toBe(2);
});

test.each([
  ['another record', () => ask('seo_2')],
  ['another text', () => ask('seo_1', { contentVersion: 2 })],
  ['other fields', () => ask('seo_1', { recordRevision: 1 })],
  ['another ruleset', () => ask('seo_1', { ruleset: 'other' })],
  ['a forced repetition', () => ask('seo_1', { repetition: 1 })],
  ['another process', () => ask('seo_1', {}, {} as Platform)],
])('%s is an analysis of its own', async (_, askOther) => {
  const [one, other] = await Promise.all([ask('seo_1'), askOther()]);
  expect(other).not.toBe(one);
});

test('an analysis that fails fails for all who wait for it, and is tried again', async () => {
  isBusy = true;
  const results = await Promise.allSettled([ask('seo_1'), ask('seo_1')]);
  isBusy = false;
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await ask('seo_1')).metrics.words).toBeGreaterThan(1000);
});
