import { briefCause } from '../router/transport/briefCause.ts';
import { createHttpTransport, type HttpTransportOptions } from '../router/transport/httpTransport.ts';
import type { Transport } from '../router/transport/Transport.ts';
import { answerHeaderName, readAnswerFacts } from '../subgraphs/platform/context/answerHeader.ts';
import { forwardHeaders } from '../subgraphs/platform/context/forwardHeaders.ts';
import type { Platform } from '../subgraphs/platform/context/Platform.ts';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';

/** What a subgraph of another process may take, for tests. */
export type RemoteLimits = Pick<HttpTransportOptions, 'timeoutMs' | 'connections' | 'now'>;

/** Reaches a subgraph of another process with nothing of the client's but his token and the signed context. */
export function remoteTransport(
  name: string,
  url: string,
  { log }: Pick<Platform, 'log'>,
  limits: RemoteLimits | undefined,
): Transport {
  return createHttpTransport({
    ...limits,
    name,
    url,
    headers: (context) => forwardHeaders(context as RequestContext),
    onHeaders: (headers, context) =>
      readAnswerFacts(headers[answerHeaderName], (context as RequestContext).answer),
    onFailure: ({ code, cause }) =>
      log.warn({ subgraph: name, code, cause: briefCause(cause) }, 'subgraph failed'),
  });
}
