import type { mongo } from 'mongoose';

let least = Number.POSITIVE_INFINITY;

/** Notes how long commands wait for a connection; once for each client. */
export function watchConnectionWait(client: Pick<mongo.MongoClient, 'on'>): void {
  client.on('connectionCheckedOut', note);
}

function note({ durationMS }: { durationMS: number }): void {
  if (durationMS < least) least = durationMS;
}

/**
 * How long whoever waited least for a connection of the pool has waited, in milliseconds, since this was asked last; 0
 * when nobody got one. The least wait, because a crowd of one moment makes some wait, and only a line that stands makes
 * everybody wait.
 */
export function takeConnectionWait(): number {
  const waited = least === Number.POSITIVE_INFINITY ? 0 : least;
  least = Number.POSITIVE_INFINITY;
  return waited;
}
