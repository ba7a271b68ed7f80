import { takeCoverage } from 'node:v8';

/**
 * Ends the worker when the runner disconnects from it: the shared stack keeps connections open, so the process would not
 * end by itself.
 */
process.once('disconnect', () => process.exit());

// The runner kills a worker one second after it disconnected, which is too short to write the coverage of a whole run.
if (process.env.NODE_V8_COVERAGE) setInterval(takeCoverage, 20_000).unref();
