import { createRunner } from 'jest-light-runner';

// Node starts a worker with the options of this process, so every worker loads the file.
process.execArgv.push('--import', new URL('keepSettings.js', import.meta.url).href);

/** Runs test files in child processes, each of which loads the product once. */
export default createRunner({ runtime: 'child_process' });
