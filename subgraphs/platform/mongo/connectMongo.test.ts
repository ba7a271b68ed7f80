import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { defaultConcurrency } from '../concurrency/ConcurrencyLimit.ts';
import { isDatabaseReady, poolSizeOf } from './connectMongo.ts';

const { now } = Date;
afterEach(() => {
  Date.now = now;
});

/** The result of a call one minute later, as in a process that was busy or whose clock was set. */
function aMinuteLater<T>(find: () => T): T {
  Date.now = () => now() + 60_000;
  try {
    return find();
  } finally {
    Date.now = now;
  }
}

test('a database is ready after its process was busy for a minute, and is not ready after it was closed', async () => {
  const database = await connectTestDatabase();
  try {
    expect(await isDatabaseReady()).toBe(true);
    // Mongoose regards the connection as lost only after the first heartbeat.
    const { disconnected } = mongoose.ConnectionStates;
    while (aMinuteLater(() => mongoose.connection.readyState) !== disconnected) await pause(100);
    expect(await aMinuteLater(isDatabaseReady)).toBe(true);
  } finally {
    await database.close();
  }
  expect(await isDatabaseReady()).toBe(false);
});

test('a database stays ready while all connections of the process are in use', async () => {
  const database = await connectTestDatabase();
  try {
    const { db } = mongoose.connection;
    const sleepers = Array.from({ length: poolSizeOf(defaultConcurrency.maxRunning) + 10 }, () =>
      db?.collection('none').watch([], { maxAwaitTimeMS: 3000 }),
    );
    const waits = sleepers.map((stream) => stream?.tryNext().catch(() => null));
    const asked = Array.from({ length: 5 }, () => isDatabaseReady());
    expect(await Promise.all(asked)).toEqual([true, true, true, true, true]);
    await Promise.all([...waits, ...sleepers.map((stream) => stream?.close())]);
  } finally {
    await database.close();
  }
});

test.each([
  [1, 16],
  [40, 20],
  [128, 64],
  [1001, 501],
])('with MAX_REQUESTS=%i, a process opens at most %i connections', (maxRunning, connections) => {
  expect(poolSizeOf(maxRunning)).toBe(connections);
});

test('a connection states its pool, its timeouts, and the majority for writes', async () => {
  const database = await connectTestDatabase();
  try {
    const { options } = mongoose.connection.getClient();
    expect(options).toMatchObject({
      maxPoolSize: poolSizeOf(defaultConcurrency.maxRunning),
      writeConcern: { w: 'majority', wtimeoutMS: 5000 },
      serverSelectionTimeoutMS: 5000,
      connectTimeoutMS: 5000,
      waitQueueTimeoutMS: 5000,
      socketTimeoutMS: 10_000,
      retryReads: true,
      retryWrites: true,
    });
  } finally {
    await database.close();
  }
});
