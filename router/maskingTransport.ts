import type { Logger } from 'pino';
import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { toPublicError } from '../subgraphs/platform/errors/toPublicError.ts';
import type { SubgraphResult, Transport } from './transport/Transport.ts';

/**
 * A local transport whose errors may be shown: what is not an AppError is a bug, is logged with the request's id and
 * leaves as `internal_error`. Subgraphs that run apart mask their own errors.
 */
export function maskingTransport(transport: Transport, log: Logger): Transport {
  const mask = (result: SubgraphResult, requestId: string): SubgraphResult => {
    if (!result.errors) return result;
    return { ...result, errors: result.errors.map((error) => toPublicError(error, log, requestId)) };
  };
  return {
    ...transport,
    compile(...operation) {
      const request = transport.compile(...operation);
      return (variables, context) => {
        const { requestId } = context as RequestContext;
        const result = request(variables, context);
        return result instanceof Promise
          ? result.then((done) => mask(done, requestId))
          : mask(result, requestId);
      };
    },
  };
}
