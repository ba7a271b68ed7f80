import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { LiveModules } from './LiveModules.ts';

/** A request to a test process: test files to run, with or without a changed module. */
export interface Question {
  readonly tests: readonly string[];
  readonly change?: { readonly file: string; readonly source: string } | undefined;
}

/** `unchangeable`: the change needs a separate process. */
export type Answer = 'passed' | 'failed' | 'unchangeable';

interface Settings {
  readonly setupFilesAfterEnv: readonly string[];
  readonly [setting: string]: unknown;
}

/*
 * The program of a test process. It runs test files as `npm test` does, repeatedly in this process. The product is opened
 * once, and its modules are changed while it is open.
 */
process.env.TEST_TIER = 'all';
process.env.TEST_DATABASES = `test_${randomBytes(4).toString('hex')}_`;
const modules = new LiveModules();
await modules.open();
const { runCLI } = await import('jest');
const { default: settings } = (await import(path.resolve('jest.config.js'))) as { default: Settings };
const { run } = await import('./bail.ts');
const { globalSetup: _, globalTeardown: __, ...kept } = settings;
const config = JSON.stringify({
  ...kept,
  rootDir: process.cwd(),
  reporters: [],
  setupFilesAfterEnv: [...settings.setupFilesAfterEnv, path.join(import.meta.dirname, 'bail.ts')],
});

process.on('message', (question: Question) => void answer(question));
process.once('disconnect', () => process.exit());

async function answer({ tests, change }: Question): Promise<void> {
  const restore = change && (await modules.replace(path.resolve(change.file), change.source));
  const answer: Answer = restore === null ? 'unchangeable' : await runFiles(tests);
  const isRestored = restore ? await restore() : true;
  // A function that is still running keeps the change, so this process cannot be used further.
  process.send?.(answer, () => isRestored || process.exit());
}

/** Tests without a database run first, because they kill most mutants. */
async function runFiles(tests: readonly string[]): Promise<Answer> {
  const isUnit = (file: string) => file.endsWith('.unit.test.ts');
  for (const files of [tests.filter(isUnit), tests.filter((file) => !isUnit(file))]) {
    if (files.length > 0 && !(await pass(files))) return 'failed';
  }
  return 'passed';
}

async function pass(files: readonly string[]): Promise<boolean> {
  run.hasFailed = false;
  // With one worker, the tests run in this process.
  const options = {
    _: [...files],
    $0: '',
    config,
    runTestsByPath: true,
    maxWorkers: 1,
    silent: true,
    watchman: false,
  };
  const { results } = await runCLI(options, [process.cwd()]);
  return results.numFailedTestSuites === 0 && results.numPassedTests > 0;
}
