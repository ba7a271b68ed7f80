import { type Command, namespaceOf } from '../Command.ts';
import { CommandError } from '../CommandError.ts';
import { codeOfSqlState, unpackSqlState } from '../errorCodes.ts';
import { executeStatement } from '../executeSql.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { bytesAt } from '../postgres/rows.ts';
import type { StatementName } from '../postgres/statements.ts';
import { type BsonBytes, decode, encode, okDocument } from '../wire/bson.ts';
import { collectionOf } from './collectionOf.ts';

/** Returns the handler of commands whose request and reply are passed on unchanged. */
export function passThrough(statement: StatementName) {
  return async (services: GatewayServices, command: Command): Promise<BsonBytes> =>
    bytesAt(await executeStatement(services, command, statement, [command.database, command.body.bytes]), 0);
}

export async function listDatabases(services: GatewayServices, command: Command): Promise<BsonBytes> {
  return bytesAt(await executeStatement(services, command, 'listDatabases', [command.body.bytes]), 0);
}

export async function drop(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const collection = collectionOf(command);
  const [wasThere] = await executeStatement(services, command, 'drop', [command.database, collection]);
  if (!wasThere) throw new CommandError('NamespaceNotFound', 'ns not found');
  return encode({ ns: namespaceOf(command, collection), nIndexesWas: 1, ok: 1 });
}

export async function dropDatabase(services: GatewayServices, command: Command): Promise<BsonBytes> {
  await executeStatement(services, command, 'dropDatabase', [command.database]);
  return encode({ dropped: command.database, ok: 1 });
}

export async function renameCollection(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const from = splitNamespace(collectionOf(command));
  const to = splitNamespace(command.body.string('to') ?? '');
  if (from.database !== to.database) {
    throw new CommandError('CommandNotSupported', 'a collection cannot be renamed into another database');
  }
  const dropTarget = command.body.boolean('dropTarget') ?? false;
  await executeStatement(services, command, 'renameCollection', [
    from.database,
    from.collection,
    to.collection,
    dropTarget,
  ]);
  services.changeStreams.namesChanged();
  return okDocument;
}

function splitNamespace(namespace: string): { database: string; collection: string } {
  const dot = namespace.indexOf('.');
  if (dot < 1 || dot === namespace.length - 1) {
    throw new CommandError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  }
  return { database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) };
}

export async function collMod(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const parameters = [command.database, collectionOf(command), command.body.bytes];
  return bytesAt(await executeStatement(services, command, 'collMod', parameters), 0);
}

export async function collStats(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const scale = command.body.integer('scale') ?? 1n;
  return bytesAt(
    await executeStatement(services, command, 'collStats', [command.database, collectionOf(command), scale]),
    0,
  );
}

export async function dbStats(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const scale = command.body.integer('scale') ?? 1n;
  return bytesAt(await executeStatement(services, command, 'dbStats', [command.database, scale, false]), 0);
}

export async function createIndexes(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const parameters = [command.database, command.body.bytes];
  const reply = decode(bytesAt(await executeStatement(services, command, 'createIndexes', parameters), 0));
  const result = reply.raw?.defaultShard ?? reply;
  if (result.code !== undefined) throw failureOf(result.code, result.errmsg);
  return encode({ ...result, ok: 1 });
}

export async function dropIndexes(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const parameters = [command.database, command.body.bytes];
  const reply = decode(bytesAt(await executeStatement(services, command, 'dropIndexes', parameters), 0));
  if (!reply.ok) throw failureOf(reply.code ?? 0, reply.errmsg ?? 'dropIndexes failed');
  return encode({ ...reply, ok: 1 });
}

/**
 * Returns the failure of an index command. It is reported inside a successful reply, as a packed SQLSTATE or as a code
 * of MongoDB.
 */
function failureOf(code: number, message: string): CommandError {
  return new CommandError(codeOfSqlState(unpackSqlState(code), false) ?? code, message);
}
