import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey } from '../../platform/installation/scoped.ts';
import { inTransaction } from '../../platform/mongo/inTransaction.ts';
import { inLine } from './inLine.ts';

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
 * Runs a change of memberships as one transaction. It writes every group it touches, in the order of their ids: reads
 * alone do not conflict under snapshot isolation, so without that two requests that both succeed could undo each other. Unique indexes are the last guard; whoever loses to one starts again and then
 * sees the winner.
 *
 * @param work told whether nothing has come between: then what was read to plan it is worth a try
 * @param names of the objects and groups that it will change, as far as they are known: it stands in line for them
 * @throws AppError `group_busy` when others win for too long
 */
export async function inRelationTransaction<T>(
  work: (session: ClientSession, isFirst: boolean) => Promise<T>,
  names: readonly (string | null | undefined)[] = [],
): Promise<T> {
  const until = performance.now() + longestMs;
  const known = names.filter((name) => name != null);
  const done = await inLine(known, longestMs, (waited) => attempt(work, { until, isFirst: !waited }));
  if (!done) throw groupBusy();
  return done.result;
}

async function attempt<T>(
  work: (session: ClientSession, isFirst: boolean) => Promise<T>,
  { until, isFirst }: { until: number; isFirst: boolean },
): Promise<T> {
  let isUntried = isFirst;
  // The driver repeats by itself what others have beaten, for far longer than anybody waits for the answer.
  const inTime = (session: ClientSession): Promise<T> => {
    if (performance.now() > until) throw groupBusy();
    const first = isUntried;
    isUntried = false;
    return work(session, first);
  };
  for (let count = 1; count <= mostAttempts; count++) {
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
