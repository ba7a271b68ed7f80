export default {
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/bench/anchors/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  // Node loads modules and strips their types, as for the product, once in a worker: see "Test files share a realm" in
  // docs/decisions.md.
  runtime: './test/support/realm/RealmRuntime.ts',
  testEnvironment: './test/support/realm/RealmEnvironment.ts',
  transform: {},
  // Tests run what the product runs; it also saves a tenth of their time.
  setupFiles: ['./start/productionMode.ts'],
  globalSetup: './test/support/startTestDatabase.ts',
  globalTeardown: './test/support/stopTestDatabase.ts',
  maxWorkers: 2,
  // What test files leave in memory: a worker that has too much of it is replaced.
  workerIdleMemoryLimit: '1500MB',
  testTimeout: 20_000,
};
