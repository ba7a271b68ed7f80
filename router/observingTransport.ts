import type { RequestContext } from '../subgraphs/platform/context/RequestContext.ts';
import { outcomeOf } from '../subgraphs/platform/telemetry/outcomeOf.ts';
import type { Telemetry } from '../subgraphs/platform/telemetry/Telemetry.ts';
import type { Transport } from './transport/Transport.ts';

/**
 * Wraps a transport to measure its fetches, to which their database commands or requests are attributed. Without
 * telemetry the transport is not wrapped.
 */
export function observingTransport(transport: Transport, subgraph: string, telemetry: Telemetry): Transport {
  return {
    ...transport,
    compile(document, text, operationType, options) {
      const request = transport.compile(document, text, operationType, options);
      const work = { kind: 'fetch', subgraph, type: operationType } as const;
      return (variables, context) =>
        telemetry.observe(work, (context as RequestContext).requestId, outcomeOf, () =>
          request(variables, context),
        );
    },
  };
}
