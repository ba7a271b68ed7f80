import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/** Where jest-circus keeps those who hear of the events of a file. */
const eventHandlers = Symbol.for('EVENT_HANDLERS');

/**
 * What jest asks of a `runtime`, with Node's own loader: modules of the product and its libraries are evaluated and compiled
 * once in a worker, not once for each test file in a context of its own. Fresh for each file are itself and jest-circus.
 */
export default class RealmRuntime {
  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  async unstable_importModule(file: string): Promise<unknown> {
    return import(pathToFileURL(file).href);
  }

  requireModule(file: string): unknown {
    return require(file);
  }

  /** Asked for jest-circus alone. */
  requireInternalModule(file: string): unknown {
    Reflect.deleteProperty(globalThis, eventHandlers);
    delete require.cache[file];
    return require(file);
  }

  setGlobalsForRuntime(): void {}
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}

  /** None: what runs stands where it was written. */
  getSourceMaps(): null {
    return null;
  }

  /** None: `NODE_V8_COVERAGE` makes Node count, as for any program. */
  getAllCoverageInfoCopy(): undefined {
    return undefined;
  }
}
