import type { Platform } from '../../../../../platform/context/Platform.ts';
import { SearchEngine } from './SearchEngine.ts';

/** A process has one platform. */
const engines = new WeakMap<object, SearchEngine>();

/** Returns the connection of a process to OpenSearch. */
export function engineOf({ catalog }: Pick<Platform, 'catalog'>): SearchEngine {
  let engine = engines.get(catalog);
  if (!engine) {
    if (!catalog.openSearch) throw new Error('The catalogue search of this process has no OpenSearch.');
    engine = new SearchEngine(catalog.openSearch);
    engines.set(catalog, engine);
  }
  return engine;
}
