import { OperationTypeNode } from 'graphql';
import { type SubgraphResult, type Transport, timeLeft, unknownOutcome } from './transport/Transport.ts';

/** Maximum duration of a fetch in milliseconds, unless its root field states another one. */
const defaultTimeoutMs = 5000;

/**
 * Returns a local transport with a deadline. If a subgraph of this process hangs, it times out like a remote one, at
 * the latest at the deadline of the request. Its work continues and its response is dropped, so the outcome of a write
 * is unknown. The driver's own limits bound such work.
 */
export function deadlineTransport(transport: Transport, name: string): Transport {
  return {
    ...transport,
    compile(document, text, operationType, options) {
      const request = transport.compile(document, text, operationType, options);
      const timeoutMs = options?.timeoutMs ?? defaultTimeoutMs;
      const outcome = operationType === OperationTypeNode.MUTATION ? unknownOutcome : {};
      const extensions = { code: 'UPSTREAM_TIMEOUT', serviceName: name, ...outcome };
      const late = { errors: [{ message: `The subgraph "${name}" did not answer in time.`, extensions }] };
      return (variables, context) => {
        const result = request(variables, context);
        return result instanceof Promise ? within(result, timeLeft(timeoutMs, context), late) : result;
      };
    },
  };
}

function within(
  result: Promise<SubgraphResult>,
  timeoutMs: number,
  late: SubgraphResult,
): Promise<SubgraphResult> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => done(late), timeoutMs);
    result.then(done, failed).finally(() => clearTimeout(timer));
  });
}
