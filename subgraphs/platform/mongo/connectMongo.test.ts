import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { isDatabaseReady } from './connectMongo.ts';

const { now } = Date;
afterEach(() => {
  Date.now = now;
});

/** What is found a minute later, as by a process that was busy all the while, or whose clock was set. */
function aMinuteLater<T>(find: () => T): T {
  Date.now = () => now() + 60_000;
  try {
    return find();
  } finally {
    Date.now = now;
  }
}

test('the database of a process that was busy is ready, that of one that has closed it is not', async () => {
  const database = await connectTestDatabase();
  try {
    expect(await isDatabaseReady()).toBe(true);
    // As soon as there was a heartbeat, Mongoose takes the connection for lost.
    const { disconnected } = mongoose.ConnectionStates;
    while (aMinuteLater(() => mongoose.connection.readyState) !== disconnected) await pause(100);
    expect(await aMinuteLater(isDatabaseReady)).toBe(true);
  } finally {
    await database.close();
  }
  expect(await isDatabaseReady()).toBe(false);
});

test('a database stays ready while all connections of the process are taken', async () => {
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
