/**
 * Ids of files whose upload this very request has begun, and been charged for; use it through `context.loader`. Where
 * the subgraph runs in a process of its own each execution is a request there, and is charged.
 */
export function begunUploads(): Set<string> {
  return new Set();
}
