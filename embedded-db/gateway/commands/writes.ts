import type { Document } from 'bson';
import type { Command } from '../Command.ts';
import { describeDuplicateKey, findWrittenDocument } from '../duplicateKey.ts';
import { codeOf, codeOfSqlState, isTransientSqlState, unpackSqlState } from '../errorCodes.ts';
import { executeStatement, executeStatementOnce, pauseBeforeAttempt } from '../executeSql.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { PostgresError } from '../postgres/PostgresError.ts';
import { bytesAt } from '../postgres/rows.ts';
import { writeConflict } from '../toErrorDocument.ts';
import { type BsonBytes, decode, encode } from '../wire/bson.ts';
import { RawDocument } from '../wire/RawDocument.ts';
import { collectionOf } from './collectionOf.ts';

const mostAttempts = 10;

/** SQLSTATEs of upserts that race for the same key. */
const lostRace = new Set(['23505', '23P01', '40001', '40P01', 'M001C']);

export async function insert(services: GatewayServices, command: Command): Promise<BsonBytes> {
  return withMongoErrors(services, command, await writeOut(services, command, 'insert', 'documents'));
}

export async function remove(services: GatewayServices, command: Command): Promise<BsonBytes> {
  return withMongoErrors(services, command, await writeOut(services, command, 'delete', 'deletes'));
}

/**
 * Updates documents. MongoDB repeats an upsert that lost a race for a unique key. Here the losers of such a race
 * deadlock, because unique indexes are exclusion constraints. Upserts with the same filter are therefore queued. Those
 * that lost against another filter with the same key are queued with all losers of the collection, or they would
 * deadlock again.
 */
export async function update(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const filter = command.transaction ? undefined : filterOfSingleUpsert(command);
  if (!filter)
    return withMongoErrors(services, command, await writeOut(services, command, 'update', 'updates'));
  const run = () => write(services, command, 'update', 'updates');
  const reply = await services.upserts.run(raceKey(command, filter), async () => {
    const first = await run();
    return hasLostRace(first) ? repeatInTurn(services, command, { run, isDone: notLost }) : first;
  });
  return withMongoErrors(services, command, reply);
}

const notLost = (reply: Buffer): boolean => !hasLostRace(reply);

/** Repeats a write that lost a race, after the other losers of the collection; returns the last reply. */
function repeatInTurn<T>(
  services: GatewayServices,
  command: Command,
  { run, isDone }: { run: () => Promise<T>; isDone: (reply: T) => boolean },
): Promise<T> {
  return services.upserts.run(raceKey(command, Buffer.alloc(0)), async () => {
    for (let attempt = 1; ; attempt++) {
      const reply = await run();
      if (attempt === mostAttempts || isDone(reply)) return reply;
      await pauseBeforeAttempt(attempt);
    }
  });
}

/** PostgreSQL fails a lost race of findAndModify, where the other writes report one in their reply. */
type Attempt = { reply: Buffer } | { lost: PostgresError };

/** Runs findAndModify, and repeats it like `update` after a lost race. */
export async function findAndModify(services: GatewayServices, command: Command): Promise<BsonBytes> {
  const { database, body } = command;
  const isUpsert = body.boolean('upsert') ?? false;
  const hasLost = ({ sqlState }: PostgresError) =>
    isUpsert ? lostRace.has(sqlState) : isTransientSqlState(sqlState);
  const run = async (): Promise<Attempt> => {
    try {
      const row = await executeStatementOnce(services, command, 'findAndModify', [database, body.bytes]);
      return { reply: bytesAt(row, 0) };
    } catch (error) {
      if (command.transaction || !(error instanceof PostgresError && hasLost(error))) throw error;
      return { lost: error };
    }
  };
  const isDone = (attempt: Attempt) => 'reply' in attempt;
  const runOrRepeat = async () => {
    const first = await run();
    return isDone(first) ? first : repeatInTurn(services, command, { run, isDone });
  };
  const filter = isUpsert && !command.transaction ? (body.embedded('query') ?? body.bytes) : undefined;
  const last = await (filter ? services.upserts.run(raceKey(command, filter), runOrRepeat) : runOrRepeat());
  if ('lost' in last) throw last.lost;
  return last.reply;
}

/**
 * Writes, and repeats a write whose only result was deadlocks. MongoDB repeats such a write itself, and only the
 * repetition detects that another write took its unique key. Repetitions are queued, or they would deadlock again. A
 * partial write is not repeated.
 */
async function writeOut(
  services: GatewayServices,
  command: Command,
  statement: 'insert' | 'update' | 'delete',
  sequenceField: string,
): Promise<Buffer> {
  const run = () => write(services, command, statement, sequenceField);
  const first = await run();
  if (command.transaction || !hasOnlyConflicts(first)) return first;
  return repeatInTurn(services, command, { run, isDone: (reply) => !hasOnlyConflicts(reply) });
}

function hasOnlyConflicts(reply: Buffer): boolean {
  const decoded = readWriteErrors(reply);
  if (!decoded || Number(decoded.n) !== 0) return false;
  return (decoded.writeErrors as Document[]).every(({ code }) => isTransientSqlState(unpackSqlState(code)));
}

async function write(
  services: GatewayServices,
  command: Command,
  statement: 'insert' | 'update' | 'delete',
  sequenceField: string,
): Promise<Buffer> {
  const sequence = command.sequences.get(sequenceField) ?? null;
  const row = await executeStatement(services, command, statement, [
    command.database,
    command.body.bytes,
    sequence,
  ]);
  return bytesAt(row, 0);
}

function raceKey(command: Command, filter: Buffer): string {
  return `${command.database}.${collectionOf(command)}:${filter.toString('latin1')}`;
}

function filterOfSingleUpsert(command: Command): Buffer | undefined {
  const statement = findOnlyUpdate(command);
  return statement?.boolean('upsert') ? statement.embedded('q') : undefined;
}

function findOnlyUpdate(command: Command): RawDocument | undefined {
  const sequence = command.sequences.get('updates');
  if (sequence) {
    const isSingle = sequence.length >= 5 && sequence.readInt32LE(0) === sequence.length;
    return isSingle ? new RawDocument(sequence) : undefined;
  }
  const array = command.body.embedded('updates');
  const list = array && new RawDocument(array);
  const first = list?.size === 1 ? list.embedded('0') : undefined;
  return first && new RawDocument(first);
}

function hasLostRace(reply: Buffer): boolean {
  const errors = readWriteErrors(reply)?.writeErrors;
  return errors?.length === 1 && lostRace.has(unpackSqlState(errors[0].code));
}

/** Returns the decoded reply if it reports failures; others, which are the great majority, are not decoded. */
function readWriteErrors(reply: BsonBytes): Document | undefined {
  if (Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength).indexOf('writeErrors') < 0)
    return undefined;
  const decoded = decode(reply);
  return decoded.writeErrors ? decoded : undefined;
}

export function hasWriteErrors(reply: BsonBytes): boolean {
  return readWriteErrors(reply) !== undefined;
}

/**
 * Converts the failures of single documents. DocumentDB reports them by SQLSTATE; drivers expect MongoDB's codes and
 * messages.
 */
async function withMongoErrors(
  services: GatewayServices,
  command: Command,
  reply: Buffer,
): Promise<BsonBytes> {
  const decoded = readWriteErrors(reply);
  if (!decoded) return reply;
  for (const failure of decoded.writeErrors as Document[]) {
    const sqlState = unpackSqlState(failure.code);
    failure.code = codeOfSqlState(sqlState, command.transaction !== undefined) ?? codeOf('InternalError');
    if (failure.code === codeOf('WriteConflict') && command.transaction) throw writeConflict(true);
    if (failure.code !== codeOf('DuplicateKey')) continue;
    const written = findWrittenDocument(command, failure.index);
    const { message, details } = await describeDuplicateKey(
      services,
      command,
      { message: failure.errmsg },
      written,
    );
    Object.assign(failure, { errmsg: message }, details);
  }
  return encode(decoded);
}
