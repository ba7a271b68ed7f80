import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');
const planted = readdirSync(path.join(import.meta.dirname, 'planted'));

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
  report = await runPlanted();
}, 60_000);

/** Runs the planted files as `npm run test:unit` does, and returns the report of jest for any exit code. */
async function runPlanted(): Promise<Report> {
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const options = ['--testMatch', '**/runner/planted/*.ts', '--maxWorkers', '2', '--json'];
  const environment = { ...process.env, TEST_TIER: 'unit' };
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [jest, ...options], { cwd: root, env: environment }, (_, stdout) =>
      done(stdout),
    );
  });
  return JSON.parse(output) as Report;
}

test('a test or hook that throws, rejects or does not end fails, and the other tests of the file run', () => {
  const broken = report.testResults.find(({ name }) => name.endsWith('broken.ts'));
  expect(broken?.assertionResults).toHaveLength(11);
  for (const { title, status } of broken?.assertionResults ?? [])
    expect([title, status]).toEqual([title, title.startsWith('passes:') ? 'passed' : 'failed']);
});

test('a file that crashes its worker, cannot be loaded, has no test or fails to clean up fails', () => {
  expect(report.testResults).toHaveLength(planted.length);
  for (const { name, status } of report.testResults) expect([name, status]).toEqual([name, 'failed']);
  expect(report.success).toBe(false);
});

test('a failure names the file and line that caused it', () => {
  const { message = '' } = report.testResults.find(({ name }) => name.endsWith('unloadable.ts')) ?? {};
  expect(message).toMatch(/unloadable\.ts\?\d+:1:/);
});

test('a worker that listens after its settings arrived still receives them', async () => {
  const late = "setTimeout(() => process.once('message', (settings) => process.send(settings)), 100)";
  const preload = new URL('keepSettings.js', import.meta.url).href;
  const worker = spawn(process.execPath, ['--import', preload, '--eval', late], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const settings = { type: 'jest-light-runner-worker-data', workerData: { runtime: 'child_process' } };
  worker.send(settings);
  const [received] = await once(worker, 'message');
  worker.disconnect();
  expect(received).toEqual(settings);
});
