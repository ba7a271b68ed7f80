import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProgram } from '../test/support/startProgram.ts';
import { benchesOf, runQuickly } from './harness/runQuickly.ts';

/**
 * `npm run bench:quick [-- bench:search bench:events]`: starts every benchmark of `package.json` once with `--quick`, or those
 * that are named. Its figures say nothing; it fails if one of them fails or prints no result.
 */

const scripts = await benchesOf(new URL('../package.json', import.meta.url));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !scripts.has(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${[...scripts.keys()].join(', ')}`);
  process.exit(2);
}
const chosen = [...scripts].filter(([name]) => named.length === 0 || named.includes(name));
const folder = await mkdtemp(path.join(tmpdir(), 'trigate-bench-quick-'));
try {
  // The demonstration is made once; each benchmark gets a copy.
  const product = await startProgram('product', 'start/main.ts', {
    DATA_DIR: folder,
    DEMO_PASSWORD: 'bench-password-1',
    MONGODB_URI: '',
    PORT: '0',
  });
  await product.stop();
  const failed = await runQuickly(chosen, { BENCH_DATA_DIR: folder });
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
