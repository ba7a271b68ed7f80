import { OperationTypeNode, parse } from 'graphql';
import type { SubgraphRequest } from '../../router/transport/Transport.ts';
import type { Ask } from '../../subgraphs/platform/context/AskSubgraph.ts';
import { AppError } from '../../subgraphs/platform/errors/AppError.ts';
import { remoteTransport } from './remoteTransport.ts';

const timeoutMs = 4000;

/**
 * Asks an owning subgraph of another process, by the transport of routers: a bounded connection pool, a deadline, one
 * retry after a broken connection, and a circuit breaker.
 *
 * @param name of the owning subgraph, for the log
 * @param source the operation
 * @throws AppError `unavailable` if it is down, slow or returns an invalid response; without its answer nothing is
 *   written
 */
export function askOverHttp(name: string, url: string, source: string): Ask {
  const document = parse(source, { noLocation: true });
  let ask: SubgraphRequest | undefined;
  return async (variables, context) => {
    ask ??= remoteTransport(name, url, context.platform, { timeoutMs }).compile(
      document,
      source,
      OperationTypeNode.QUERY,
    );
    const { data } = await ask({ ...variables }, context.descend());
    if (Array.isArray(data?._entities)) return data as Awaited<ReturnType<Ask>>;
    throw new AppError(
      'unavailable',
      'The subgraph that owns this record cannot be reached at the moment. Retry shortly.',
      { retryAfter: 5 },
    );
  };
}
