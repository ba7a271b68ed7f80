import type { API, Client } from '@opensearch-project/opensearch';
import { CircuitBreaker } from '../../../../../platform/concurrency/CircuitBreaker.ts';
import type { OpenSearchSettings } from '../../../../../platform/context/CatalogSettings.ts';
import { AppError } from '../../../../../platform/errors/AppError.ts';

declare const scope: unique symbol;

/**
 * A search with the routing and the filter of one installation. Only `indexOf` creates one, so a search without an
 * installation does not compile.
 */
export type ScopedSearch = API.Search_Request & { readonly [scope]: true };

/** A search for the progress of the feed, which is not part of the catalogue. */
export type StateSearch = API.Search_Request & { readonly index: `${string}-state` };

/** Everything but searches. */
export type Administration = Pick<
  Client,
  'indices' | 'bulk' | 'get' | 'index' | 'delete' | 'createPit' | 'info'
>;

/** Time limit of a search, below the time limit of a subgraph, with one repetition after a broken connection. */
export const searchMs = 2000;
const administrationMs = 30_000;
const breakerLimits = { failures: 5, windowMs: 10_000, openMs: 2000 } as const;
const retryAfter = 2;

/** Connection of this process to OpenSearch. It loads the client and connects at the first call. */
export class SearchEngine {
  /** Alias of the index that is searched. */
  readonly alias: string;
  readonly #nodes: readonly string[];
  readonly #breaker = new CircuitBreaker(breakerLimits);
  #client: Promise<Client> | undefined;

  constructor({ nodes, alias }: OpenSearchSettings) {
    this.#nodes = nodes;
    this.alias = alias;
  }

  /**
   * Runs a search. If the engine fails repeatedly, searches are refused immediately for a while.
   *
   * @throws AppError `unavailable` if the engine cannot answer now, or has no index yet
   */
  async search(request: ScopedSearch | StateSearch): Promise<API.Search_ResponseBody> {
    if (this.#breaker.enter() > 0) throw unavailable();
    try {
      const client = await this.#open();
      const { body } = await client.search(request, { requestTimeout: searchMs, maxRetries: 1 });
      this.#breaker.leave('success');
      return body;
    } catch (error) {
      hideRequest(error);
      this.#breaker.leave(isAway(error) ? 'failure' : 'neither');
      throw isAway(error) || isMissing(error) ? unavailable(error) : error;
    }
  }

  /** Runs anything but a search. Errors of the client are passed on. */
  async administer<T>(work: (client: Administration) => Promise<{ body: T }>): Promise<T> {
    try {
      const { body } = await work(await this.#open());
      return body;
    } catch (error) {
      hideRequest(error);
      throw error;
    }
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }

  #open(): Promise<Client> {
    this.#client ??= import('@opensearch-project/opensearch').then(
      ({ Client }) =>
        new Client({ nodes: [...this.#nodes], requestTimeout: administrationMs, maxRetries: 2 }),
    );
    return this.#client;
  }
}

const connectionErrors: ReadonlySet<unknown> = new Set([
  'ConnectionError',
  'NoLivingConnectionsError',
  'TimeoutError',
]);
const temporaryStatuses: ReadonlySet<unknown> = new Set([429, 502, 503, 504]);

/** Returns whether the engine cannot be reached or is overloaded, so that the same call may succeed later. */
export function isAway(error: unknown): boolean {
  return (
    connectionErrors.has(memberOf(error, 'name')) || temporaryStatuses.has(memberOf(error, 'statusCode'))
  );
}

/** Returns whether the index, the record or the point in time does not exist. */
export function isMissing(error: unknown): boolean {
  return memberOf(error, 'statusCode') === 404;
}

/** Hides the request from logs: the client attaches it to its errors, with all documents and the address's password. */
function hideRequest(error: unknown): void {
  const meta = memberOf(error, 'meta');
  if (meta !== undefined) Object.defineProperty(error, 'meta', { value: meta, enumerable: false });
}

function memberOf(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}

function unavailable(cause?: unknown): AppError {
  const error = new AppError(
    'unavailable',
    'The catalogue search is not available now. Retry in a few seconds.',
    {
      retryAfter,
    },
  );
  error.cause = cause;
  return error;
}
