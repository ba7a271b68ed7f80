/**
 * The four tiers of tests; `docs/contributing/testing.md` says where a test goes. `npm test` is `all`, the others are `npm run
 * test:<tier>`. Budgets are seconds of elapsed time of test files on two quiet cores (see `test/support/runner/FileBudget.ts`).
 */
const tiers = {
  unit: { testMatch: ['**/*.unit.test.ts'], budget: { total: 60, median: 0.1, files: 100 } },
  all: { testMatch: ['**/*.test.ts'], budget: { file: 10, total: 600, median: 0.3, files: 300 } },
  product: { testMatch: ['**/*.product.test.ts'], budget: { total: 150, median: 5, files: 20 } },
  nightly: { testMatch: ['**/*.nightly.test.ts'], budget: { files: 5 } },
};
const name = process.env.TEST_TIER ?? 'all';
const { testMatch, budget } = tiers[name];

export default {
  testMatch,
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    '/.data/',
    ...(name === 'all' ? ['\\.product\\.test\\.ts$', '\\.nightly\\.test\\.ts$'] : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  // Node loads the modules and strips their types, as for the product, once per worker. Stock jest evaluates the product
  // anew for every file, which takes 2.3 times as long.
  runner: '<rootDir>/test/support/runner/runner.js',
  transform: {},
  setupFiles: ['./app/lifecycle/productionMode.ts'],
  setupFilesAfterEnv: ['./test/support/runner/timeLimits.ts', './test/support/runner/worker.ts'],
  reporters: ['default', ['./test/support/runner/FileBudget.ts', budget]],
  ...(name !== 'unit' && {
    globalSetup: './test/support/stack/startTestDatabase.ts',
    globalTeardown: './test/support/stack/stopTestDatabase.ts',
  }),
  // Only for a few files, because jobs visit the installations of all files that have used the shared stack.
  testSequencer: name === 'product' ? '<rootDir>/test/support/runner/sequencer.js' : '@jest/test-sequencer',
  // The default leaves a core idle. Programs and browsers of the product tier use the cores by themselves.
  maxWorkers: name === 'product' ? 1 : '100%',
};
