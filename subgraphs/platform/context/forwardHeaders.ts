import { contextHeaderName, signContext } from './contextHeader.ts';
import type { RequestContext } from './RequestContext.ts';

/**
 * The only headers that travel to a subgraph of another process: the caller's own token, the signed context, and the
 * trace that this process keeps. The caller's other headers stay here.
 */
export function forwardHeaders(context: RequestContext): Record<string, string> {
  const { platform, installationId, clientAddress, userAgent, requestId, depth, partial, authorization } =
    context;
  const signed = signContext(
    platform.contextKey,
    { installationId, clientAddress, userAgent, requestId, depth, partial },
    platform.now(),
  );
  return {
    ...platform.telemetry?.outgoingHeaders(),
    [contextHeaderName]: signed,
    ...(typeof authorization === 'string' ? { authorization } : {}),
  };
}
