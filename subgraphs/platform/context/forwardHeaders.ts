import { contextHeaderName, signContext } from './contextHeader.ts';
import type { RequestContext } from './RequestContext.ts';

/** Far less than the lifetime of a signature: the receiver has the rest to answer. */
const reusedForMs = 10_000;
const signatures = new WeakMap<RequestContext, { signed: string; atMs: number }>();

/**
 * Returns the only headers that are sent to a subgraph of another process: the caller's token, the signed context, and
 * the trace of this process. The caller's other headers are not forwarded.
 */
export function forwardHeaders(context: RequestContext): Record<string, string> {
  const { platform, authorization } = context;
  return {
    ...platform.telemetry?.outgoingHeaders(),
    [contextHeaderName]: signOnce(context),
    ...(typeof authorization === 'string' ? { authorization } : {}),
  };
}

/** Signs the context once, because most requests go to several subgraphs with the same context. */
function signOnce(context: RequestContext): string {
  const { platform, installationId, clientAddress, userAgent, requestId, depth, partial } = context;
  const nowMs = platform.now();
  const known = signatures.get(context);
  if (known && nowMs - known.atMs < reusedForMs) return known.signed;
  const told = { installationId, clientAddress, userAgent, requestId, depth, partial };
  const signed = signContext(platform.contextKey, told, nowMs);
  signatures.set(context, { signed, atMs: nowMs });
  return signed;
}
