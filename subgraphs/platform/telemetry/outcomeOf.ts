import type { Outcome } from './Telemetry.ts';

/** A result of GraphQL as far as its outcome goes. */
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

/** What came of an operation or a fetch: the router's own code if a subgraph failed it as a whole. */
export function outcomeOf({ data, errors }: Result): Outcome {
  if (errors === undefined || errors.length === 0) return 'ok';
  if (data !== undefined && data !== null) return 'partial';
  const code = errors[0]?.extensions?.code;
  return upstreamCodes.has(code) ? (code as Outcome) : 'failed';
}
