import { Long, Timestamp } from 'bson';
import type { Command } from '../Command.ts';
import { CommandError } from '../CommandError.ts';
import { executeStatement, withTimeLimit } from '../executeSql.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import type { PostgresConnection } from '../postgres/PostgresConnection.ts';
import { bytesAt, findBytes, type Row } from '../postgres/rows.ts';
import { statements } from '../postgres/statements.ts';
import { connectionOf } from '../TransactionStore.ts';
import { type BsonBytes, decodeExactly, encode } from '../wire/bson.ts';
import { RawDocument } from '../wire/RawDocument.ts';

type CursorStatement = 'find' | 'aggregate' | 'listCollections' | 'listIndexes';

const defaultAwaitMs = 1_000;

export function openCursor(statement: CursorStatement) {
  return (services: GatewayServices, command: Command): Promise<BsonBytes> =>
    firstPage(services, command, statement);
}

export async function aggregate(services: GatewayServices, command: Command): Promise<BsonBytes> {
  // Searching the bytes for the name first avoids decoding every other aggregation.
  if (command.body.bytes.indexOf('$changeStream') >= 0) {
    const body = decodeExactly(command.body.bytes);
    const [stage, ...pipeline] = body.pipeline ?? [];
    if (stage?.$changeStream) return watch(services, command, stage.$changeStream, pipeline);
  }
  return firstPage(services, command, 'aggregate');
}

async function firstPage(
  services: GatewayServices,
  command: Command,
  statement: CursorStatement,
): Promise<BsonBytes> {
  const { pool, cursors } = services;
  const connection = command.transaction ? connectionOf(command.transaction) : await pool.acquire();
  let isPinned = false;
  try {
    const [row = []] = await withTimeLimit(command, connection, () =>
      connection.query(statement, statements[statement], [command.database, command.body.bytes]),
    );
    const [, , needsConnection, id] = row;
    const continuation = findBytes(row, 1);
    if (continuation && typeof id === 'bigint' && id !== 0n) {
      isPinned = needsConnection === true && !command.transaction;
      cursors.add({
        id,
        continuation: Buffer.from(continuation),
        connection: isPinned ? connection : undefined,
        transaction: command.transaction,
      });
    }
    return bytesAt(row, 0);
  } finally {
    if (!command.transaction && !isPinned) pool.release(connection);
  }
}

export async function getMore(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const { cursors, pool } = services;
  const id = command.body.integer('getMore') ?? 0n;
  const cursor = cursors.get(id);
  if (cursor.changeStream) {
    return services.changeStreams.nextPage(cursor.changeStream, {
      cursorId: id,
      namespace: `${command.database}.${command.body.string('collection')}`,
      awaitMs: command.maxTimeMs || defaultAwaitMs,
      batchSize: Number(command.body.integer('batchSize') ?? 0n),
      isAbandoned: () => command.client.isClosed,
    });
  }
  // For getMore, maxTimeMS is the maximum wait for new data, not for the execution.
  const unlimited = { ...command, maxTimeMs: 0 };
  const fetch = (connection: PostgresConnection) =>
    withTimeLimit(unlimited, connection, () =>
      connection.query('getMore', statements.getMore, [
        command.database,
        command.body.bytes,
        cursor.continuation,
      ]),
    );
  let row: Row;
  try {
    if (cursor.connection) [row = []] = await fetch(cursor.connection);
    else if (cursor.transaction) [row = []] = await fetch(connectionOf(cursor.transaction));
    else [row = []] = await pool.use(fetch);
  } catch (error) {
    cursors.drop(id);
    throw error;
  }
  const page = bytesAt(row, 0);
  const continuation = findBytes(row, 1);
  if (continuation && continuation.length > 0) cursor.continuation = Buffer.from(continuation);
  if (!continuation || isLastPage(page)) cursors.finish(id);
  return page;
}

function isLastPage(page: Buffer): boolean {
  const cursor = new RawDocument(page).embedded('cursor');
  return !cursor || (new RawDocument(cursor).integer('id') ?? 0n) === 0n;
}

export function killCursors(services: GatewayServices, command: Command): BsonBytes {
  const ids: Long[] = decodeExactly(command.body.bytes).cursors ?? [];
  const cursorsKilled: Long[] = [];
  const cursorsNotFound: Long[] = [];
  for (const id of ids) {
    (services.cursors.drop(BigInt(id.toString())) ? cursorsKilled : cursorsNotFound).push(id);
  }
  return encode({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 });
}

async function watch(
  services: GatewayServices,
  command: Command,
  options: Record<string, unknown>,
  pipeline: unknown[],
): Promise<BsonBytes> {
  if (command.transaction) {
    throw new CommandError('OperationNotSupportedInTransaction', '$changeStream cannot run in a transaction');
  }
  const collection = command.body.string(command.name);
  const stream = await services.changeStreams.open({
    database: command.database,
    collection,
    options,
    pipeline,
  });
  const id = randomCursorId();
  services.cursors.add({ id, continuation: Buffer.alloc(0), changeStream: stream });
  return encode({
    cursor: {
      id: Long.fromBigInt(id),
      ns: `${command.database}.${collection ?? '$cmd.aggregate'}`,
      firstBatch: [],
      postBatchResumeToken: stream.resumeToken,
    },
    operationTime: new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 }),
    ok: 1,
  });
}

function randomCursorId(): bigint {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(high & 0x3fffffff) << 32n) | BigInt(low) | 1n;
}

export async function count(services: GatewayServices, command: Command): Promise<BsonBytes> {
  return bytesAt(
    await executeStatement(services, command, 'count', [command.database, command.body.bytes]),
    0,
  );
}

export async function distinct(services: GatewayServices, command: Command): Promise<BsonBytes> {
  return bytesAt(
    await executeStatement(services, command, 'distinct', [command.database, command.body.bytes]),
    0,
  );
}
