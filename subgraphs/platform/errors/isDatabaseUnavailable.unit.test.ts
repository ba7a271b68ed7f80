import mongoose from 'mongoose';
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts';

const { MongoServerError, MongoBulkWriteError } = mongoose.mongo;

test.each([
  [91, 'a server that shuts down'],
  [11_600, 'a command that a shutdown interrupted'],
  [10_107, 'a server that is no longer primary'],
  [43, 'a cursor that was lost with its server'],
])('the answer %i of %s means that the database is unavailable', (code) => {
  expect(isDatabaseUnavailable(new MongoServerError({ code, message: 'no' }))).toBe(true);
});

test('a bulk write that a shutdown interrupts means that the database is unavailable', () => {
  const error = new MongoBulkWriteError({ message: 'no', code: 91, writeErrors: [] }, {} as never);
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  [11_000, 'a duplicate key'],
  [2, 'a bad value'],
])('the answer %i of %s does not mean that the database is unavailable', (code) => {
  expect(isDatabaseUnavailable(new MongoServerError({ code, message: 'no' }))).toBe(false);
});

test('an error of another library does not mean that the database is unavailable, whatever its code', () => {
  expect(isDatabaseUnavailable(Object.assign(new Error('no'), { code: 91 }))).toBe(false);
});
