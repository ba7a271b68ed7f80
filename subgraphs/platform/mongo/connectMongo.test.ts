import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import { isConnected } from './connectMongo.ts';

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

test('a process that was busy still has its database; one that has closed it has not', async () => {
  const database = await connectTestDatabase();
  try {
    expect(isConnected()).toBe(true);
    // As soon as there was a heartbeat, Mongoose takes the connection for lost.
    const { disconnected } = mongoose.ConnectionStates;
    while (aMinuteLater(() => mongoose.connection.readyState) !== disconnected) await pause(100);
    expect(aMinuteLater(isConnected)).toBe(true);
  } finally {
    await database.close();
  }
  expect(isConnected()).toBe(false);
});
