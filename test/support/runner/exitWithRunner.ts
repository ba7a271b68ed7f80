/**
 * Ends the worker when the runner disconnects from it. The shared stack keeps connections open, so the process would not
 * end by itself; a killed process writes no coverage.
 */
process.once('disconnect', () => process.exit());
