export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/bench/anchors/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  // Without a transform jest lets Node strip the types, as the product does: every line stays where it is.
  transform: {},
  // Tests run what the product runs; it also saves a tenth of their time.
  setupFiles: ['./start/productionMode.ts', './test/support/plainStacks.ts'],
  globalSetup: './test/support/startTestDatabase.ts',
  globalTeardown: './test/support/stopTestDatabase.ts',
  maxWorkers: 2,
  // Modules of a test file stay in memory behind it: a worker that has too many of them is replaced.
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 20_000,
};
