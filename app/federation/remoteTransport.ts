import { briefCause } from '../../router/transport/briefCause.ts';
import { createHttpTransport, type HttpTransportOptions } from '../../router/transport/httpTransport.ts';
import type { Transport } from '../../router/transport/Transport.ts';
import { CircuitBreaker } from '../../subgraphs/platform/concurrency/CircuitBreaker.ts';
import { answerHeaderName, readAnswerFacts } from '../../subgraphs/platform/context/answerHeader.ts';
import { forwardHeaders } from '../../subgraphs/platform/context/forwardHeaders.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';

/** Other limits and another clock of the circuit breaker, for tests. */
export interface RemoteLimits extends Pick<HttpTransportOptions, 'timeoutMs' | 'connections'> {
  /** Returns monotonic time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Returns the transport to a subgraph of another process, which gets only the client's token and the signed context.
 */
export function remoteTransport(
  name: string,
  url: string,
  { log }: Pick<Platform, 'log'>,
  { now, ...limits }: RemoteLimits = {},
): Transport {
  return createHttpTransport({
    ...limits,
    name,
    url,
    breaker: new CircuitBreaker({ failures: 5, openMs: 5000 }, now),
    headers: (context) => forwardHeaders(context as RequestContext),
    onHeaders: (headers, context) =>
      readAnswerFacts(headers[answerHeaderName], (context as RequestContext).answer),
    onFailure: ({ code, cause }) =>
      log.warn({ subgraph: name, code, cause: briefCause(cause) }, 'subgraph failed'),
  });
}
