import type { API, Types } from '@opensearch-project/opensearch';
import { type ScopedSearch, type SearchEngine, searchMs } from './SearchEngine.ts';

/** Condition of the engine's query language. */
export type Clause = Types.Common_QueryDsl.QueryContainer;
/** Aggregations by name. The types of the client omit their fields. */
export type Aggregations = Readonly<Record<string, object>>;
export type SearchResult = API.Search_ResponseBody;

/** A query within one installation. */
export interface IndexSearch
  extends Pick<API.Search_RequestBody, 'search_after' | 'sort' | 'track_total_hits' | 'version'> {
  /** Conditions that do not count for the relevance. */
  filter: readonly Clause[];
  /** Condition whose score is the relevance. */
  scored?: Clause | null;
  aggregations?: Aggregations;
  /** Number of ids to return. */
  size: number;
  /** Concrete index instead of the alias, for comparisons. */
  index?: string;
  /** Id of a point in time instead of the current state. */
  pointInTime?: string | null;
}

/** The documents of one installation: the only access to the search. */
export interface InstallationIndex {
  search(query: IndexSearch): Promise<SearchResult>;
  /** Opens a point in time, in which later pages of a result see the same documents. */
  openPointInTime(): Promise<string>;
}

/** Time for which a point in time is kept after each use. */
const keepAlive = '1m';

/**
 * Returns the documents of one installation. All of them are in one shard, which is why facets are exact. Every search
 * is routed to this shard, and has the installation as a condition.
 */
export function indexOf(engine: SearchEngine, installationId: string): InstallationIndex {
  if (!installationId) throw new Error('A search of the catalogue needs an installation.');
  return {
    async search({ filter, scored, size, index, pointInTime, ...body }) {
      const request: API.Search_Request = {
        // A point in time contains the index and the routing.
        ...(pointInTime
          ? {}
          : {
              index: index ?? engine.alias,
              routing: installationId,
              allow_partial_search_results: false,
              // By default, the engine caches only searches without hits. It forgets them when the index changes.
              request_cache: true,
            }),
        body: {
          ...(body as API.Search_RequestBody),
          size,
          _source: false,
          query: {
            bool: {
              ...(scored && { must: [scored] }),
              filter: [{ term: { installationId: { value: installationId } } }, ...filter],
            },
          },
          ...(pointInTime && { pit: { id: pointInTime, keep_alive: keepAlive } }),
        },
      };
      return engine.search(request as ScopedSearch);
    },
    async openPointInTime() {
      const request = { index: [engine.alias], routing: installationId, keep_alive: keepAlive };
      const { pit_id: id } = await engine.administer((client) =>
        client.createPit(request, { requestTimeout: searchMs, maxRetries: 0 }),
      );
      return id;
    },
  };
}
