import type { ClientSession } from 'mongoose';
import { queueByKey } from '../../../platform/concurrency/queueByKey.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';

/** Attempts before a caller gets `Retry-After`. */
const mostAttempts = 8;

/**
 * Time in which another attempt may start, including the queueing delay. A subgraph has 5 s for a response, which also
 * include the planning before and the last attempt.
 */
const longestMs = 2000;

/** Changes of one object or group that run concurrently: while one commits, the next one is ready. */
const concurrentPerKey = 2;

/** Data that a transaction has read has changed: it restarts from its reads. */
export class RetryTransaction extends Error {}

/**
 * Runs a change of memberships as one transaction. Unique indexes are the last safeguard; a change that violates one
 * restarts and then sees the other change.
 *
 * @param keys known objects and groups that will change; the change is queued for them
 * @throws AppError `group_busy` if others win for too long
 */
export function inRelationTransaction<T>(
  work: (session: ClientSession) => Promise<T>,
  keys: readonly (string | null)[] = [],
): Promise<T> {
  const until = performance.now() + longestMs;
  const known = keys.filter((key) => key !== null);
  const patience = { ms: longestMs, toError: groupBusy };
  return queueByKey(known, { concurrency: concurrentPerKey, patience }, () => attempt(work, until));
}

async function attempt<T>(work: (session: ClientSession) => Promise<T>, until: number): Promise<T> {
  // The driver retries conflicts for far longer than a caller waits for the response.
  const inTime = (session: ClientSession): Promise<T> => {
    if (performance.now() > until) throw groupBusy();
    return work(session);
  };
  for (let count = 1; count <= mostAttempts; count++) {
    try {
      return await inTransaction(inTime);
    } catch (error) {
      if (error instanceof AppError && error.code === 'concurrent_update') break;
      if (!isDuplicateKey(error) && !(error instanceof RetryTransaction)) throw error;
    }
  }
  throw groupBusy();
}

function groupBusy(): AppError {
  return new AppError('group_busy', 'Many requests are changing this group. Retry shortly.', {
    retryAfter: 1,
  });
}
