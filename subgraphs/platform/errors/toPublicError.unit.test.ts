import { GraphQLError } from 'graphql';
import mongoose from 'mongoose';
import pino from 'pino';
import { toPublicError } from './toPublicError.ts';

const log = pino({ level: 'silent' });
const seen = (error: Error) => toPublicError(new GraphQLError('x', { originalError: error }), log).extensions;

test.each([
  ['MongoServerSelectionError', 'an unreachable server'],
  ['MongoNetworkTimeoutError', 'a server that does not respond'],
  ['MongoWaitQueueTimeoutError', 'an exhausted connection pool'],
])('%s of %s is reported as 503 with a time to retry', (name) => {
  const error = Object.assign(new Error('10.0.0.1:27017'), { name });
  expect(seen(error)).toMatchObject({ problem: { code: 'unavailable', status: 503, retryAfter: 5 } });
  expect(JSON.stringify(seen(error))).not.toContain('10.0.0.1');
});

test('a write that was not replicated to the majority in time is reported as 503, and not as a success', () => {
  const error = new mongoose.mongo.MongoServerError({
    code: 64,
    message: 'waiting for replication timed out',
  });
  const { extensions } = toPublicError(new GraphQLError('x', { originalError: error }), log, {
    isWrite: true,
  });
  expect(extensions).toMatchObject({ problem: { code: 'unavailable', status: 503, retryAfter: 5 } });
});

test('a write for which the database has no space left is reported as 507', () => {
  const error = new mongoose.mongo.MongoServerError({ code: 14_031, message: '/var/lib: no space' });
  expect(seen(error)).toMatchObject({
    code: 'INSUFFICIENT_STORAGE',
    problem: { code: 'insufficient_storage' },
  });
  expect(JSON.stringify(seen(error))).not.toContain('/var/lib');
});

test('an unknown error is reported as internal_error without its message', () => {
  const shown = seen(new TypeError('undefined is not a function'));
  expect(shown).toMatchObject({ problem: { code: 'internal_error', status: 500 } });
  expect(JSON.stringify(shown)).not.toContain('undefined');
});

test('an error of the document without a code is BAD_USER_INPUT, and an existing code is kept', () => {
  const codeOf = (error: GraphQLError) => toPublicError(error, log).extensions.code;
  expect(codeOf(new GraphQLError('Argument "input" has invalid value 5.'))).toBe('BAD_USER_INPUT');
  expect(codeOf(new GraphQLError('x', { extensions: { code: 'OVERLOADED' } }))).toBe('OVERLOADED');
});

test('a write that the database interrupted has an unknown outcome, and a read has none', () => {
  const error = new mongoose.mongo.MongoServerError({
    code: 91,
    message: 'the embedded database has stopped',
  });
  const shownTo = (isWrite: boolean) =>
    toPublicError(new GraphQLError('x', { originalError: error }), log, { isWrite }).extensions.problem;
  expect(shownTo(true)).toMatchObject({
    code: 'unavailable',
    status: 503,
    retryAfter: 5,
    outcome: 'unknown',
  });
  expect(shownTo(false)).toMatchObject({ code: 'unavailable', status: 503, retryAfter: 5 });
  expect(shownTo(false)).not.toHaveProperty('outcome');
});
