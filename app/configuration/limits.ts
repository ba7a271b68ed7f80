import { defaultConcurrency } from '../../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import { readDeployment } from './deployment.ts';
import { isLoopback, readHttp } from './http.ts';
import { type Environment, integer, readAll, toggle } from './Setting.ts';

/** Limits of the process. */
export const limitSettings = {
  maxRequests: integer('MAX_REQUESTS', {
    fallback: defaultConcurrency.maxRunning,
    least: 1,
    most: 100_000,
    meaning:
      'Maximum number of concurrent executions in a process; see [overload](../how-to/deployment.md#overload). The process opens half as many [connections](../how-to/deployment.md#connections) to the database.',
  }),
  maxQueued: integer('MAX_QUEUED', {
    fallback: defaultConcurrency.maxQueued,
    least: 0,
    most: 100_000,
    meaning:
      'Maximum number of queued executions. A request beyond it is immediately answered with 503 and `Retry-After`.',
  }),
  maxQueueSeconds: integer('MAX_QUEUE_SECONDS', {
    fallback: defaultConcurrency.maxQueueMs / 1000,
    least: 1,
    most: 60,
    meaning: 'Longest time in the queue, after which a request is answered with 503 and `Retry-After`.',
  }),
  rateLimits: toggle('RATE_LIMITS', {
    fallback: true,
    meaning:
      '`off`: no execution is counted, for measurements; only with `DEMO=on` and a loopback `HOST`. See [rate limits](rate-limits.md).',
  }),
};

export function readLimits(environment: Environment) {
  const { maxRequests, maxQueued, maxQueueSeconds, rateLimits } = readAll(limitSettings, environment);
  // Without limits passwords can be guessed, so only this machine may reach such a process.
  if (!rateLimits && !(readDeployment(environment).demonstration && isLoopback(readHttp(environment).host)))
    throw new Error(
      'RATE_LIMITS is "off", which is only for measurements on one machine with demonstration data. Unset it, or ' +
        'use it with DEMO=on and HOST=127.0.0.1.',
    );
  return {
    /** Executions that run concurrently, and that wait. */
    concurrency: { maxRunning: maxRequests, maxQueued, maxQueueMs: maxQueueSeconds * 1000 },
    rateLimits,
  };
}
