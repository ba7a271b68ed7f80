import { EventEmitter } from 'node:events';
import type { mongo } from 'mongoose';
import { takeConnectionWait, watchConnectionWait } from './connectionWait.ts';

test('the wait for a connection is that of whoever waited least since it was asked last', () => {
  const client = new EventEmitter();
  watchConnectionWait(client as unknown as mongo.MongoClient);
  takeConnectionWait();
  for (const durationMS of [70, 51, 900]) client.emit('connectionCheckedOut', { durationMS });
  expect(takeConnectionWait()).toBe(51);
  expect(takeConnectionWait()).toBe(0);
});
