import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');
const planted = readdirSync(path.join(import.meta.dirname, 'fixture'));

interface Report {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

let report: Report;
beforeAll(async () => {
  report = await run(['--testMatch', '**/realm/fixture/*.planted.ts', '--maxWorkers', '1', '--json']);
}, 60_000);

/** Runs jest as `npm test` does; answers its report, whatever the exit code. */
async function run(options: readonly string[]): Promise<Report> {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [jest, ...options], { cwd: root }, (_, stdout) => done(stdout));
  });
  return JSON.parse(output) as Report;
}

test('each test that is planted to fail fails, the others pass', () => {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(tests).toHaveLength(13);
  for (const { title, status } of tests) {
    expect([title, status]).toEqual([title, title.startsWith('fails:') ? 'failed' : 'passed']);
  }
});

test('a file that cannot be loaded, tests nothing or cannot put away what it opened fails', () => {
  const failed = report.testResults.filter(({ status }) => status === 'failed');
  expect(failed.map(({ name }) => path.basename(name, '.planted.ts')).sort()).toEqual([
    'afterAll',
    'broken',
    'empty',
    'unloadable',
  ]);
  expect(report.testResults).toHaveLength(planted.length);
  expect(report.success).toBe(false);
});

test('a failure is shown where it was written', () => {
  const { message = '' } =
    report.testResults.find(({ name }) => name.endsWith('unloadable.planted.ts')) ?? {};
  expect(message).toContain('unloadable.planted.ts:1');
});
