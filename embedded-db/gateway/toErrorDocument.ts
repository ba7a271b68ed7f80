import type { Document } from 'bson';
import type { Command } from './Command.ts';
import { CommandError } from './CommandError.ts';
import { describeDuplicateKey, findModifiedDocument } from './duplicateKey.ts';
import { codeOf, codeOfSqlState } from './errorCodes.ts';
import type { GatewayServices } from './GatewayServices.ts';
import { ConnectionLost, PostgresError } from './postgres/PostgresError.ts';

const writeConflictMessage =
  'WriteConflict error: this operation conflicted with another operation. Please retry your operation or multi-document transaction.';

/** Converts an error of a command to the document for its client. */
export async function toErrorDocument(
  services: GatewayServices,
  error: unknown,
  command: Command | undefined,
): Promise<Document> {
  if (error instanceof CommandError) return error.toDocument();
  if (error instanceof PostgresError) return (await fromPostgres(services, error, command)).toDocument();
  if (error instanceof ConnectionLost) return fromLostConnection(error, command).toDocument();
  services.log(`internal error in ${command?.name}: ${error instanceof Error ? error.stack : String(error)}`);
  return new CommandError(
    'InternalError',
    error instanceof Error ? error.message : String(error),
  ).toDocument();
}

async function fromPostgres(
  services: GatewayServices,
  error: PostgresError,
  command: Command | undefined,
): Promise<CommandError> {
  const isInTransaction = command?.transaction !== undefined;
  // Of two transactions that create the same collection, the loser finds it on its second attempt.
  const hasLostCreation = isInTransaction && error.message.includes('create the specified collection');
  const code = hasLostCreation ? codeOf('WriteConflict') : codeOfSqlState(error.sqlState, isInTransaction);
  switch (code) {
    case codeOf('WriteConflict'):
      return writeConflict(isInTransaction);
    case codeOf('NoSuchTransaction'):
      return new CommandError('NoSuchTransaction', error.message, { labels: ['TransientTransactionError'] });
    case codeOf('MaxTimeMSExpired'):
      return new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
    case codeOf('DuplicateKey'): {
      if (!command) break;
      const written =
        command.name.toLowerCase() === 'findandmodify' ? findModifiedDocument(command) : undefined;
      const { message, details } = await describeDuplicateKey(services, command, error, written);
      return new CommandError('DuplicateKey', message, { details });
    }
    case undefined:
      services.log(`${error.sqlState} ${error.message} (in ${command?.name})`);
      break;
  }
  return new CommandError(code ?? 'InternalError', error.message);
}

export function writeConflict(isInTransaction: boolean): CommandError {
  return new CommandError('WriteConflict', writeConflictMessage, {
    labels: isInTransaction ? ['TransientTransactionError'] : [],
  });
}

/**
 * Returns the error after the loss of the database process. Whether a write or a commit succeeded is unknown, and the
 * memory of retryable writes contains responses, not executions. No label may cause a driver to repeat it, or an
 * increment would count twice. A transaction before its commit is certainly rolled back and may be restarted.
 */
function fromLostConnection(error: ConnectionLost, command: Command | undefined): CommandError {
  const isUndone = command?.transaction !== undefined && command.name !== 'commitTransaction';
  return new CommandError('ShutdownInProgress', `the embedded database has stopped: ${error.message}`, {
    labels: isUndone ? ['TransientTransactionError'] : [],
  });
}
