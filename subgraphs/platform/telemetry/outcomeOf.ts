import type { Outcome } from './Telemetry.ts';

/** Members of a GraphQL result that determine its outcome. */
interface Result {
  readonly data?: unknown;
  readonly errors?:
    | readonly { readonly extensions?: Readonly<Record<string, unknown>> | undefined }[]
    | undefined;
}

const upstreamCodes: ReadonlySet<unknown> = new Set<Outcome>([
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_ERROR',
]);

/** Returns the outcome of an operation or a fetch: the router's own code if a subgraph failed as a whole. */
export function outcomeOf({ data, errors }: Result): Outcome {
  if (errors === undefined || errors.length === 0) return 'ok';
  if (data !== undefined && data !== null) return 'partial';
  const code = errors[0]?.extensions?.code;
  return upstreamCodes.has(code) ? (code as Outcome) : 'failed';
}
