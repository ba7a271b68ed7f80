import { addEventHandler, getState } from 'jest-circus';

/** Default limit of a test or hook. */
const defaultLimitMs = 20_000;
const { setTimeout, clearTimeout } = globalThis;

/**
 * jest-light-runner ignores the time limit of tests and hooks, so one that never ends would block its worker. Each is
 * wrapped as soon as it is declared. A test that exceeds its limit fails, and the next one starts.
 */
addEventHandler((event) => {
  const { hooks, children } = getState().currentDescribeBlock;
  if (event.name === 'add_hook') limit(hooks.at(-1));
  if (event.name === 'add_test') {
    const added = children.at(-1);
    if (added?.type === 'test') limit(added);
  }
});

interface Limited {
  fn: unknown;
  timeout?: number | null | undefined;
}

function limit(declared: Limited | undefined): void {
  if (!declared) return;
  const run = declared.fn as () => unknown;
  if (run.length > 0)
    throw new TypeError('Tests return a promise; callbacks such as `done` are not supported.');
  const limitMs = declared.timeout ?? defaultLimitMs;
  declared.fn = async () => {
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`Exceeded the limit of ${limitMs} ms.`)), limitMs);
    try {
      await Promise.race([run(), expired]);
    } finally {
      clearTimeout(timer);
    }
  };
}
