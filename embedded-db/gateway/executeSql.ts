import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from './Command.ts';
import { isTransientSqlState } from './errorCodes.ts';
import type { GatewayServices } from './GatewayServices.ts';
import type { Parameter } from './postgres/messages.ts';
import type { PostgresConnection } from './postgres/PostgresConnection.ts';
import { PostgresError } from './postgres/PostgresError.ts';
import type { Row } from './postgres/rows.ts';
import { type StatementName, statements } from './postgres/statements.ts';
import { connectionOf } from './TransactionStore.ts';

const mostAttempts = 20;

/**
 * Runs SQL for a command: on its transaction's connection, or on any free one. Outside of a transaction, a deadlock or
 * a serialization failure is retried here. Inside of one, the client has to restart it, because its earlier reads are
 * stale.
 */
export async function executeSql<T>(
  services: GatewayServices,
  command: Command,
  work: (connection: PostgresConnection) => Promise<T>,
  maxAttempts = mostAttempts,
): Promise<T> {
  if (command.transaction) return withTimeLimit(command, connectionOf(command.transaction), work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await services.pool.use((connection) => withTimeLimit(command, connection, work));
    } catch (error) {
      const isWorthAnother = error instanceof PostgresError && isTransientSqlState(error.sqlState);
      if (!isWorthAnother || attempt === maxAttempts) throw error;
      await pauseBeforeAttempt(attempt);
    }
  }
}

/** Runs one of the known statements and returns its first row. */
export async function executeStatement(
  services: GatewayServices,
  command: Command,
  statement: StatementName,
  parameters: readonly Parameter[],
  maxAttempts = mostAttempts,
): Promise<Row> {
  const run = (connection: PostgresConnection) =>
    connection.query(statement, statements[statement], parameters);
  const rows = await executeSql(services, command, run, maxAttempts);
  return rows[0] ?? [];
}

/** Runs SQL once, for a command that itself repeats lost races in a queue. */
export function executeStatementOnce(
  services: GatewayServices,
  command: Command,
  statement: StatementName,
  parameters: readonly Parameter[],
): Promise<Row> {
  return executeStatement(services, command, statement, parameters, 1);
}

/** Pauses for a random time, so that conflicting statements do not conflict again. */
export function pauseBeforeAttempt(attempt: number): Promise<void> {
  return delay(1 + Math.random() * 5 * attempt);
}

/**
 * Applies maxTimeMS by PostgreSQL. SET is pipelined before the statement, and only if the session has another limit, so
 * a client with equal limits pays once. A limit of the server cannot cancel the wrong statement, as a cancellation from
 * outside could.
 */
export async function withTimeLimit<T>(
  { maxTimeMs }: Pick<Command, 'maxTimeMs'>,
  connection: PostgresConnection,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  if (connection.statementTimeoutMs !== maxTimeMs) {
    connection.statementTimeoutMs = maxTimeMs;
    connection.execute(`SET statement_timeout=${maxTimeMs}`).catch(() => {
      connection.statementTimeoutMs = undefined;
    });
  }
  return work(connection);
}
