import type { ClientConnection, Command } from './Command.ts';
import { CommandError } from './CommandError.ts';
import { commandTable, notInTransactions } from './commands/commandTable.ts';
import { hasWriteErrors } from './commands/writes.ts';
import type { GatewayServices } from './GatewayServices.ts';
import { refuseWrongOperators } from './refuseWrongOperators.ts';
import { noSuchTransaction, type Transaction } from './TransactionStore.ts';
import { toErrorDocument } from './toErrorDocument.ts';
import { type BsonBytes, encode, okDocument } from './wire/bson.ts';
import { RawDocument } from './wire/RawDocument.ts';
import type { WireRequest } from './wire/wire.ts';

const maxTimeLimitMs = 0x7fffffff;

/** Runs one request and returns the reply document. Never rejects: every failure is a reply. */
export async function runCommand(
  services: GatewayServices,
  client: ClientConnection,
  request: WireRequest,
): Promise<BsonBytes> {
  let command: Command | undefined;
  try {
    command = toCommand(client, request);
    services.statistics.commands++;
    return await runInContext(services, command);
  } catch (error) {
    return encode(await toErrorDocument(services, error, command));
  }
}

function toCommand(client: ClientConnection, request: WireRequest): Command {
  const body = new RawDocument(request.body);
  const session = body.embedded('lsid');
  const maxTimeMs = Number(body.integer('maxTimeMS') ?? 0n);
  if (maxTimeMs < 0 || maxTimeMs > maxTimeLimitMs) {
    throw new CommandError('BadValue', `${maxTimeMs} value for maxTimeMS is out of range`);
  }
  return {
    name: body.firstName,
    database: body.string('$db') ?? request.legacyDatabase ?? 'admin',
    body,
    sequences: request.sequences,
    client,
    sessionKey: session && new RawDocument(session).binary('id')?.toString('hex'),
    transactionNumber: body.integer('txnNumber'),
    maxTimeMs,
  };
}

/**
 * Runs a command in its context. One with a transaction number is a statement of a transaction, or a retryable write.
 */
function runInContext(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const { sessionKey, transactionNumber } = command;
  if (sessionKey === undefined || transactionNumber === undefined) return dispatch(services, command);
  if (command.body.boolean('autocommit') === false) {
    return runInTransaction(services, command, sessionKey, transactionNumber);
  }
  return services.retryableWrites.run(sessionKey, transactionNumber, () => dispatch(services, command));
}

async function dispatch(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const handler = Object.hasOwn(commandTable, command.name) ? commandTable[command.name] : undefined;
  if (!handler) throw new CommandError('CommandNotFound', `no such command: '${command.name}'`);
  refuseWrongOperators(command);
  return handler(services, command);
}

async function runInTransaction(
  services: GatewayServices,
  command: Command,
  sessionKey: string,
  number: bigint,
): Promise<BsonBytes> {
  const { transactions } = services;
  const transaction = command.body.boolean('startTransaction')
    ? await transactions.begin(sessionKey, number, command.client)
    : transactions.find(sessionKey);
  const isKnown = transaction?.number === number;
  if (command.name === 'abortTransaction') {
    if (isKnown) await transactions.abort(transaction);
    return okDocument;
  }
  if (!isKnown) throw noSuchTransaction(`Transaction ${number} does not match any in-progress transaction`);
  command.transaction = transaction;
  transaction.client = command.client;
  if (command.name === 'commitTransaction') {
    await transactions.commit(transaction);
    return okDocument;
  }
  if (transaction.state !== 'open')
    throw noSuchTransaction(`Transaction ${number} has been ${transaction.state}`);
  return runStatement(services, command, transaction);
}

/**
 * Runs a statement. Any failure aborts the transaction, as in MongoDB; PostgreSQL would refuse everything but a
 * rollback anyway.
 */
async function runStatement(
  services: GatewayServices,
  command: Command,
  transaction: Transaction,
): Promise<BsonBytes> {
  try {
    if (notInTransactions.has(command.name)) {
      throw new CommandError(
        'OperationNotSupportedInTransaction',
        `Cannot run '${command.name}' in a multi-document transaction.`,
      );
    }
    const reply = await dispatch(services, command);
    if (hasWriteErrors(reply)) await services.transactions.abort(transaction);
    return reply;
  } catch (error) {
    const document = await toErrorDocument(services, error, command);
    await services.transactions.abort(transaction);
    return encode(document);
  }
}
