import mongoose from 'mongoose';

const names: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  // There is a database, and too many wait for a connection to it.
  'MongoWaitQueueTimeoutError',
  'MongooseServerSelectionError',
]);

/**
 * Answers of a server that stops, starts or hands over, as the specification of retryable reads lists them, and of one
 * that has lost a cursor because it was restarted.
 */
const codes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound
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

/** Whether a command failed because the database was unavailable and not because of its content. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return names.has(error.name) || (error instanceof mongoose.mongo.MongoServerError && codes.has(error.code));
}
