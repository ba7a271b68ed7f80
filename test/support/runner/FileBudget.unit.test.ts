import FileBudget, { type Budget } from './FileBudget.ts';

const budget: Budget = { file: 10, total: 100, median: 1, files: 3 };
const { CI } = process.env;
beforeEach(() => {
  process.env.CI = 'true';
  jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => {
  jest.restoreAllMocks();
  if (CI === undefined) delete process.env.CI;
  else process.env.CI = CI;
});

/** The error of a run whose files take these seconds. */
function verdictOf(seconds: readonly number[], patterns: readonly string[] = []): string | undefined {
  const reporter = new FileBudget({ testPathPatterns: { patterns } }, budget);
  let now = 0;
  reporter.now = () => now;
  for (const [index, took] of seconds.entries()) {
    const file = { path: `${process.cwd()}/${index}.test.ts` };
    reporter.onTestFileStart(file);
    now += took * 1000;
    reporter.onTestFileResult(file);
  }
  reporter.onRunComplete();
  return reporter.getLastError()?.message;
}

test('CI passes a run within the budget, and one that is up to twice as long', () => {
  expect(verdictOf([1, 1, 9])).toBeUndefined();
  expect(verdictOf([1, 1, 19])).toBeUndefined();
});

test('CI fails a run if a file takes three times its budget', () => {
  expect(verdictOf([1, 1, 30])).toBe('2.test.ts took 30.0 s; the budget is 10 s.');
});

test('CI passes a run on a machine that is five times slower, unless one file is three times slower again', () => {
  expect(verdictOf([5, 5, 50])).toBeUndefined();
  expect(verdictOf([5, 5, 150])).toContain('2.test.ts took 150.0 s');
});

test('CI fails a run if all files together take three times their budget', () => {
  expect(verdictOf([...Array.from({ length: 31 }, () => 1), ...Array.from({ length: 30 }, () => 9)])).toBe(
    'All files took 301.0 s; the budget is 100 s.',
  );
});

test('CI fails a run that finds fewer files than expected', () => {
  expect(verdictOf([1, 1])).toBe('2 files ran; at least 3 are expected.');
});

test('a run outside CI or of selected files does not fail', () => {
  expect(verdictOf([1, 1, 100], ['subgraphs'])).toBeUndefined();
  delete process.env.CI;
  expect(verdictOf([1, 1, 100])).toBeUndefined();
});
