import { OperationTypeNode } from 'graphql';
import type { Logger } from 'pino';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { type ErrorOrigin, toPublicError } from '../subgraphs/platform/errors/toPublicError.ts';
import { mapEvents } from './transport/mapEvents.ts';
import type { SubgraphResult, SubgraphSubscription, Transport } from './transport/Transport.ts';

/**
 * Returns a local transport with masked errors. An error that is not an AppError is a bug; it is logged with the
 * request's id and replaced by `internal_error`. Remote subgraphs mask their own errors.
 */
export function maskingTransport(transport: Transport, log: Logger): Transport {
  const mask = (result: SubgraphResult, origin: ErrorOrigin): SubgraphResult => {
    if (!result.errors) return result;
    return { ...result, errors: result.errors.map((error) => toPublicError(error, log, origin)) };
  };
  const { compileSubscription } = transport;
  return {
    ...transport,
    ...(compileSubscription && {
      compileSubscription(...operation: Parameters<typeof compileSubscription>): SubgraphSubscription {
        const subscribe = compileSubscription.apply(transport, operation);
        return async (variables, context) => {
          const { requestId } = context as RequestContext;
          const source = await subscribe(variables, context);
          if (!(Symbol.asyncIterator in source)) return mask(source, { requestId });
          return mapEvents(source, (event) => mask(event, { requestId }));
        };
      },
    }),
    compile(...operation) {
      const request = transport.compile(...operation);
      const isWrite = operation[2] === OperationTypeNode.MUTATION;
      return (variables, context) => {
        const { requestId } = context as RequestContext;
        const result = request(variables, context);
        const origin = { requestId, isWrite };
        return result instanceof Promise ? result.then((done) => mask(done, origin)) : mask(result, origin);
      };
    },
  };
}
