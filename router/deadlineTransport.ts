import type { SubgraphResult, Transport } from './transport/Transport.ts';

/** Longest time that a subgraph may take, in milliseconds, unless its root field states another one. */
const defaultTimeoutMs = 5000;

/**
 * A local transport that answers in time: a subgraph of this process whose database hangs is given up like one of
 * another process. What it began goes on and its answer is dropped; what has to wait is bounded by the driver's own
 * limits.
 */
export function deadlineTransport(transport: Transport, name: string): Transport {
  return {
    ...transport,
    compile(document, text, operationType, options) {
      const request = transport.compile(document, text, operationType, options);
      const timeoutMs = options?.timeoutMs ?? defaultTimeoutMs;
      return (variables, context) => {
        const result = request(variables, context);
        return result instanceof Promise ? within(result, timeoutMs, name) : result;
      };
    },
  };
}

function within(result: Promise<SubgraphResult>, timeoutMs: number, name: string): Promise<SubgraphResult> {
  return new Promise((done, failed) => {
    const timer = setTimeout(() => {
      const extensions = { code: 'UPSTREAM_TIMEOUT', serviceName: name };
      done({ errors: [{ message: `The subgraph "${name}" did not answer in time.`, extensions }] });
    }, timeoutMs);
    result.then(done, failed).finally(() => clearTimeout(timer));
  });
}
