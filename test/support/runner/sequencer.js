import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/** Calls with which a test file uses the stack that the files of a worker share. */
const sharedStack = /\b(?:product|useClients)\(\)/;

/**
 * Runs the files that share a stack before the others. A file with a database of its own closes the shared stack, so in a
 * mixed order it is opened many times.
 */
export default class extends TestSequencer {
  sort(tests) {
    const { shared = [], own = [] } = Object.groupBy(super.sort(tests), ({ path }) =>
      sharedStack.test(readFileSync(path, 'utf8')) ? 'shared' : 'own',
    );
    return [...shared, ...own];
  }
}
