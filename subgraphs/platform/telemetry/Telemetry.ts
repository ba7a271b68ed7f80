import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A measured unit of work. All members have a fixed set of values: names of routes, operations, subgraphs and
 * collections, never input of a client. They are labels of metrics, and every free value would create a new series.
 */
export type Work =
  | {
      readonly kind: 'operation';
      readonly operation: string;
      readonly type: string;
      readonly planHash: string;
    }
  | { readonly kind: 'fetch'; readonly subgraph: string; readonly type: string };

/** Outcome: `ok`, `partial` (data and errors), `failed` (errors alone), or the router's code for a subgraph. */
export type Outcome =
  | 'ok'
  | 'partial'
  | 'failed'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_ERROR';

/** A finding of a cache of plans. */
export type PlanLookup = 'hit' | 'miss';

/**
 * Reports of a process on its own work, to enabled metrics, traces and logs. A process without any of them has no
 * telemetry, which costs requests nothing.
 */
export interface Telemetry {
  /** Measures one HTTP request until its response is complete, or its client has disconnected. */
  serve(request: IncomingMessage, response: ServerResponse, handle: () => void): void;
  /** Sets the route of a request by its template, once it is known; until then it is `none`. */
  nameRoute(response: ServerResponse, template: string): void;
  /** Measures work inside a request; its result and its failure pass unchanged. */
  observe<T>(
    work: Work,
    requestId: string,
    outcomeOf: (result: T) => Outcome,
    run: () => T | Promise<T>,
  ): T | Promise<T>;
  notePlan(lookup: PlanLookup): void;
  /** Adds executions that the usage ledger counted without their client or operation, because of its limits. */
  noteUsageOverflow(executions: number): void;
  /** Sets the number of seconds by which the search index is behind the database. */
  noteCatalogLag(seconds: number): void;
  /** Returns the W3C trace context of the current work, for requests to other processes. */
  outgoingHeaders(): Readonly<Record<string, string>>;
}
