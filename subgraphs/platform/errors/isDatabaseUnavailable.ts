import mongoose from 'mongoose';

const names: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  // The database is available, but too many commands wait for a connection.
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
]);

/**
 * Errors of a server that stops, starts or steps down, as in the specification of retryable reads, of one that lost a
 * cursor in a restart, and of one that cannot replicate a write in time.
 */
const codes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** Returns whether a command failed because the database was unavailable, not because of its content. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return names.has(error.name) || (error instanceof mongoose.mongo.MongoServerError && codes.has(error.code));
}
