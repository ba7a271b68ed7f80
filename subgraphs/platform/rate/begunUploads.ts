/**
 * Returns the ids of files whose upload this request has started and been charged for; use it through `context.loader`.
 * In a subgraph with its own process, each execution is a separate request and is charged.
 */
export function begunUploads(): Set<string> {
  return new Set();
}
