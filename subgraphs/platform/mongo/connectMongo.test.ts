import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { isDatabaseReady } from './connectMongo.ts';

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
    const sleepers = Array.from({ length: 60 }, () =>
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
