import { addEventHandler, getState } from 'jest-circus';

/** Whether a test of the run has failed. One failure kills a mutant, so the remaining tests are skipped. */
export const run = { hasFailed: false };

addEventHandler((event) => {
  const { hooks, children } = getState().currentDescribeBlock;
  if (event.name === 'add_hook' && event.hookType !== 'afterAll') bail(hooks.at(-1));
  if (event.name === 'add_test') {
    const added = children.at(-1);
    if (added?.type === 'test') bail(added);
  }
});

function bail(declared: { fn: unknown } | undefined): void {
  if (!declared) return;
  const body = declared.fn as () => unknown;
  declared.fn = async () => {
    if (run.hasFailed) throw new Error('A test has failed before.');
    try {
      await body();
    } catch (error) {
      run.hasFailed = true;
      throw error;
    }
  };
}
