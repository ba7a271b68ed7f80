import { openWorld, type World } from '../world/openWorld.ts';
import { changedCollections, digestCollections } from './digestCollections.ts';
import { type ValidCall, type ValidRequest, validCalls, validRequests } from './validCalls.ts';
import { type Watch, watchRefusals } from './watchRefusals.ts';

/** A world in which every call is refused. Its members exist from the first hook on. */
export interface Refusals {
  readonly world: World;
  readonly watch: Watch;
  /** A valid request for every REST route. */
  readonly requests: readonly ValidRequest[];
  /** A valid call for every root field. */
  readonly calls: readonly ValidCall[];
}

/** Path under which interfaces B and C answer. */
export { restRoot } from '../../support/stack/serveStack.ts';

/**
 * Opens a world for a file whose calls are all refused, and fails the file if one of them wrote a record.
 *
 * @param options `withCalls`: prepares `requests` and `calls`, which takes a second
 */
export function openRefusals({ withCalls = false }: { withCalls?: boolean } = {}): Refusals {
  let world: World;
  let watch: Watch;
  let requests: readonly ValidRequest[];
  let calls: readonly ValidCall[];
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    world = await openWorld();
    watch = watchRefusals(world);
    calls = withCalls ? await validCalls(world) : [];
    requests = withCalls ? await validRequests(world, calls) : [];
    before = await digestCollections();
  }, 60_000);
  afterAll(async () => {
    try {
      expect(watch.count).toBeGreaterThan(0);
      expect(changedCollections(before, await digestCollections())).toEqual([]);
    } finally {
      await world.app.close();
    }
  });
  return {
    get world() {
      return world;
    },
    get watch() {
      return watch;
    },
    get requests() {
      return requests;
    },
    get calls() {
      return calls;
    },
  };
}
