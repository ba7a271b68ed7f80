/*
 * jest-light-runner 0.8.2 sends its settings to all workers that wait for their first test file when the first of them
 * asks. On a busy machine they reach another worker before it listens, and it waits for them until the run is ended. This
 * module keeps what arrives early and gives it to the listener that is added later.
 */
const type = 'jest-light-runner-worker-data';

/** @param {{ type?: string } | undefined} message */
function keep(message) {
  if (message?.type !== type) return;
  process.off('message', keep);
  /** @param {string} event @param {(message: object) => void} listener */
  const give = (event, listener) => {
    if (event !== 'message') return;
    process.off('newListener', give);
    queueMicrotask(() => listener(message));
  };
  process.on('newListener', give);
}
if (process.send) process.on('message', keep);
