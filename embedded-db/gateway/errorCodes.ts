/** MongoDB's codes of named errors; others are "Location<number>". */
const codes = {
  InternalError: 1,
  BadValue: 2,
  GraphContainsCycle: 5,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  InvalidBSON: 22,
  LockTimeout: 24,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  CannotBackfillArray: 34,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  DottedFieldName: 57,
  CommandNotFound: 59,
  ShardKeyNotFound: 61,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  IndexAlreadyExists: 68,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  NotExactValueField: 111,
  WriteConflict: 112,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  DocumentValidationFailure: 121,
  ExceededMemoryLimit: 146,
  DurationOverflow: 159,
  ViewDepthLimitExceeded: 165,
  CommandNotSupportedOnView: 166,
  OptionNotSupportedOnView: 167,
  AmbiguousIndexKeyPattern: 181,
  InvalidIndexSpecificationOption: 197,
  CannotBuildIndexKeys: 201,
  QueryFeatureNotAllowed: 224,
  TransactionTooOld: 225,
  MaxSubPipelineDepthExceeded: 232,
  ConversionFailure: 241,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  InvalidResumeToken: 260,
  OperationNotSupportedInTransaction: 263,
  ChangeStreamFatalError: 280,
  ChangeStreamHistoryLost: 286,
  UnableToFindIndex: 291,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
  DocumentTooLargeAfterUpdate: 17419,
  DocumentTooLargeToUpsert: 17420,
  UnrecognizedStage: 40324,
  UnknownField: 40415,
  NoMatchingBranch: 40066,
} as const;

export type ErrorName = keyof typeof codes;

const namesOfCodes = new Map<number, string>(Object.entries(codes).map(([name, code]) => [code, name]));

export function codeOf(name: ErrorName): number {
  return codes[name];
}

export function codeNameOf(code: number): string {
  return namesOfCodes.get(code) ?? `Location${code}`;
}

/**
 * DocumentDB raises its own errors with an SQLSTATE of class 'M': the letter and an ordinal in base 36. The ordinals
 * follow no rule, so the ones a client can act on are listed; source: the error list of DocumentDB 1.0.
 */
const documentdbStates: Readonly<Record<string, ErrorName>> = {
  M0000: 'InternalError',
  M0001: 'BadValue',
  M0002: 'GraphContainsCycle',
  M0003: 'FailedToParse',
  M0004: 'TypeMismatch',
  M0005: 'Overflow',
  M0006: 'IllegalOperation',
  M0008: 'NamespaceNotFound',
  M0009: 'IndexNotFound',
  M000A: 'PathNotViable',
  M000C: 'CannotBackfillArray',
  M000D: 'ConflictingUpdateOperators',
  M000E: 'CursorNotFound',
  M000F: 'NamespaceExists',
  M000G: 'DollarPrefixedFieldName',
  M000I: 'NotSingleValueField',
  M000J: 'EmptyFieldName',
  M000K: 'DottedFieldName',
  M000L: 'ShardKeyNotFound',
  M000M: 'ImmutableField',
  M000N: 'CannotCreateIndex',
  M000O: 'IndexAlreadyExists',
  M000P: 'InvalidOptions',
  M000Q: 'InvalidNamespace',
  M000R: 'IndexOptionsConflict',
  M000S: 'IndexKeySpecsConflict',
  M000T: 'NotExactValueField',
  M000U: 'CommandNotSupported',
  M000W: 'ExceededMemoryLimit',
  M000X: 'DurationOverflow',
  M000Y: 'ViewDepthLimitExceeded',
  M000Z: 'CommandNotSupportedOnView',
  M0010: 'OptionNotSupportedOnView',
  M0011: 'AmbiguousIndexKeyPattern',
  M0012: 'InvalidIndexSpecificationOption',
  M0013: 'QueryFeatureNotAllowed',
  M0014: 'MaxSubPipelineDepthExceeded',
  M0015: 'ConversionFailure',
  M0016: 'OperationNotSupportedInTransaction',
  M0018: 'UnableToFindIndex',
  M001B: 'BSONObjectTooLarge',
  M001C: 'DuplicateKey',
  M003A: 'DocumentTooLargeAfterUpdate',
  M003B: 'DocumentTooLargeToUpsert',
  M006D: 'NoMatchingBranch',
  M007U: 'UnrecognizedStage',
  M0088: 'UnknownField',
  M00CO: 'DocumentValidationFailure',
  M00DO: 'InvalidLength',
  M00ER: 'Unauthorized',
  M00EW: 'LockTimeout',
  M00EX: 'MaxTimeMSExpired',
  M00F1: 'WriteConflict',
  M00F4: 'CannotBuildIndexKeys',
};

/** PostgreSQL's own SQLSTATEs that have a counterpart; Appendix A of its manual. */
const postgresStates: Readonly<Record<string, ErrorName>> = {
  '22023': 'BadValue', // invalid_parameter_value
  '22P02': 'FailedToParse', // invalid_text_representation
  '0A000': 'CommandNotSupported', // feature_not_supported
  '23505': 'DuplicateKey', // unique_violation: the _id index
  '23P01': 'DuplicateKey', // exclusion_violation: every other unique index is an exclusion constraint
  '25P02': 'NoSuchTransaction', // in_failed_sql_transaction
  '40001': 'WriteConflict', // serialization_failure
  '40P01': 'WriteConflict', // deadlock_detected
  '42P01': 'NamespaceNotFound', // undefined_table: the collection was dropped meanwhile
  '53100': 'OutOfDiskSpace',
  '54000': 'CannotBuildIndexKeys', // program_limit_exceeded: an index key that does not fit
  '57P01': 'ShutdownInProgress', // admin_shutdown
  '57P02': 'ShutdownInProgress', // crash_shutdown
  '57P03': 'ShutdownInProgress', // cannot_connect_now: the server starts or recovers
  '57014': 'MaxTimeMSExpired', // query_canceled: only statement_timeout cancels here
};

/** Returns the MongoDB code for an SQLSTATE, or undefined if it has no equivalent. */
export function codeOfSqlState(sqlState: string, isInTransaction: boolean): number | undefined {
  // A lock timeout is a conflict inside a transaction, and a timeout outside of it.
  if (sqlState === '55P03') return codeOf(isInTransaction ? 'WriteConflict' : 'LockTimeout');
  const name = documentdbStates[sqlState] ?? postgresStates[sqlState];
  if (name) return codeOf(name);
  // DocumentDB raises class M deliberately for invalid client input; it is never a fault of the engine.
  return sqlState.startsWith('M') ? codeOf('BadValue') : undefined;
}

/**
 * Unpacks an SQLSTATE, which DocumentDB writes in replies as a number: five characters of six bits, '0' = 0, first one
 * lowest.
 */
export function unpackSqlState(packed: number): string {
  let state = '';
  for (let shift = 0; shift < 30; shift += 6) state += String.fromCharCode(((packed >> shift) & 0x3f) + 48);
  return state;
}

/** Returns whether a failure means that another transaction was faster, so that a single statement can be repeated. */
export function isTransientSqlState(sqlState: string | undefined): boolean {
  return sqlState === '40001' || sqlState === '40P01' || sqlState === '55P03';
}
