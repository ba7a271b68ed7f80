import type { Command } from '../Command.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { KeyedQueue } from '../KeyedQueue.ts';
import { PostgresError } from '../postgres/PostgresError.ts';
import { encode } from '../wire/bson.ts';
import { RawDocument } from '../wire/RawDocument.ts';
import { findAndModify } from './writes.ts';

const callers = 8;
const reply = Buffer.from(encode({ value: null, ok: 1 }));

/** Services of a database in which each caller loses its first race, and later all commands that run beside another. */
function openContendedDatabase(sqlState: string): { services: GatewayServices; attempts: () => number } {
  let repeating = 0;
  let attempts = 0;
  const query = async () => {
    attempts++;
    const isFirst = attempts <= callers;
    if (!isFirst) repeating++;
    const hasLost = isFirst || repeating > 1;
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (!isFirst) repeating--;
    if (hasLost) throw new PostgresError('another command was faster', sqlState);
    return [[reply]];
  };
  const connection = { statementTimeoutMs: 0, query };
  const pool = { use: (work: (one: typeof connection) => unknown) => work(connection) };
  const services = { pool, upserts: new KeyedQueue() } as unknown as GatewayServices;
  return { services, attempts: () => attempts };
}

function commandOf(n: number, upsert: boolean): Command {
  const body = encode({ findAndModify: 'jobs', query: { n }, update: { $set: { key: 1 } }, upsert });
  return {
    name: 'findAndModify',
    database: 'test',
    body: new RawDocument(Buffer.from(body)),
    sequences: new Map(),
    maxTimeMs: 0,
  } as unknown as Command;
}

test.each([
  ['upserts with different filters that meet in one unique key', true, '23P01'],
  ['upserts with different filters that deadlock', true, '40P01'],
  ['updates that deadlock', false, '40P01'],
])('findAndModify retries sequentially: %s', async (_, upsert, sqlState) => {
  const { services, attempts } = openContendedDatabase(sqlState);
  const calls = Array.from({ length: callers }, (__, n) => findAndModify(services, commandOf(n, upsert)));
  expect(await Promise.all(calls)).toEqual(Array(callers).fill(reply));
  expect(attempts()).toBe(2 * callers);
});

test('findAndModify does not retry an update that is refused as a duplicate', async () => {
  const { services, attempts } = openContendedDatabase('23505');
  const calls = [1, 2].map((n) => findAndModify(services, commandOf(n, false)));
  const results = await Promise.allSettled(calls);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(attempts()).toBe(2);
});
