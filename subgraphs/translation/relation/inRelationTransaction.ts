import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';

/** Attempts before a caller is told to come back. */
const mostAttempts = 8;

/**
 * Time for beginning another attempt, waiting in line included. A subgraph has 5 s for all of an answer: what was planned
 * before, and the last attempt, come on top.
 */
const longestMs = 2000;

/** What a transaction has read is no longer so (a group was closed meanwhile): it starts again from its reads. */
export class StaleMembership extends Error {}

/**
 * Runs a change of memberships as one transaction. Its first write raises the version of every group it touches, in
 * the order of their ids: reads alone do not conflict under snapshot isolation, so without that two requests that
 * both succeed could undo each other. Unique indexes are the last guard; whoever loses to one starts again and then
 * sees the winner.
 *
 * @throws AppError `group_busy` when others win for too long
 */
export async function inRelationTransaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
  const until = performance.now() + longestMs;
  // The driver repeats by itself what others have beaten, for far longer than anybody waits for the answer.
  const inTime = (session: ClientSession): Promise<T> => {
    if (performance.now() > until) throw groupBusy();
    return work(session);
  };
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    try {
      return await inTransaction(inTime);
    } catch (error) {
      if (error instanceof AppError && error.code === 'concurrent_update') break;
      if (!isDuplicateKey(error) && !(error instanceof StaleMembership)) throw error;
    }
  }
  throw groupBusy();
}

function groupBusy(): AppError {
  return new AppError('group_busy', 'Many requests change this group at once; try again.', { retryAfter: 1 });
}
