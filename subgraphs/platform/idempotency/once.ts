import { createHash } from 'node:crypto';
import { Schema } from 'mongoose';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { type IdType, newId, repeatableId } from '../ids/newId.ts';
import { isDuplicateKey, scoped } from '../installation/scoped.ts';
import { defineModel } from '../mongo/defineModel.ts';

interface ExecutionRecord {
  _id: string;
  installationId: string;
  fingerprint: string;
  state: 'running' | 'done';
  /** The payload as the use case returned it. */
  payload: unknown;
  leaseUntil: Date;
  createdAt: Date;
}

/** Executions by idempotency key, kept 24 hours. */
export const ExecutionModel = defineModel<ExecutionRecord>(
  'idempotency_keys',
  new Schema<ExecutionRecord>({
    _id: String,
    fingerprint: { type: String, required: true },
    state: { type: String, required: true },
    payload: Schema.Types.Mixed,
    leaseUntil: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  }).index({ createdAt: 1 }, { expireAfterSeconds: 24 * 3600 }),
);

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const leaseMs = 30_000;

/**
 * Runs a mutation once per `Idempotency-Key`: the same key and input get the stored payload again, also after a lost
 * answer; another input is refused. Refusals before an effect leave the key free. Without a key it just runs.
 *
 * @param operation name of the root field
 * @param input the mutation's input; its `idempotencyKey` is not part of the fingerprint
 * @param run gets the ids of what it creates from its attempt, so that a repetition after a crash finds the record
 *   that the first one wrote instead of writing a second one
 * @throws AppError `idempotency_key_invalid`, `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function once<T>(
  context: RequestContext,
  operation: string,
  input: { idempotencyKey?: string | null | undefined },
  run: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { idempotencyKey, ...rest } = input;
  if (idempotencyKey === null || idempotencyKey === undefined) return run({ newId, isRepeated: false });
  if (!keyPattern.test(idempotencyKey)) {
    throw new AppError(
      'idempotency_key_invalid',
      'An Idempotency-Key has 1 to 255 visible ASCII characters.',
    );
  }
  const id = hash([context.viewer.id, operation, idempotencyKey]);
  const fingerprint = hash([operation, rest]);
  const claimed = await claim(context, id, fingerprint);
  if (typeof claimed === 'object') {
    context.answer.idempotentReplayed = true;
    return claimed.payload as T;
  }
  const isRepeated = claimed === 'repeated';
  return settle(context, id, () =>
    run({ newId: (type) => repeatableId(type, context.installationId, id), isRepeated }),
  );
}

/** One run of a mutation under a key. */
export interface Attempt {
  /** Id for the record of this type that the mutation creates: the same one in every run under one key. */
  newId(type: IdType): string;
  /** Whether an earlier run under this key ended without a word: it may have come any distance. */
  readonly isRepeated: boolean;
}

/** Whether this request may run, for the first time or after one that was cut short; the execution that is done. */
async function claim(
  context: RequestContext,
  id: string,
  fingerprint: string,
): Promise<ExecutionRecord | 'first' | 'repeated'> {
  const executions = scoped(ExecutionModel, context.installationId);
  const now = new Date(context.platform.now());
  const leaseUntil = new Date(now.getTime() + leaseMs);
  try {
    await executions.insert({
      _id: `${context.installationId}:${id}`,
      fingerprint,
      state: 'running',
      payload: null,
      leaseUntil,
      createdAt: now,
    });
    return 'first';
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const earlier = await executions.findOne({ _id: `${context.installationId}:${id}` });
  if (!earlier) return claim(context, id, fingerprint);
  if (earlier.fingerprint !== fingerprint) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request; use a new one.',
    );
  }
  if (earlier.state === 'done') return earlier;
  const resumed = await executions.findOneAndUpdate(
    { _id: earlier._id, state: 'running', leaseUntil: { $lt: now } },
    { $set: { leaseUntil } },
  );
  if (resumed) return 'repeated';
  throw new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfter: 1 },
  );
}

async function settle<T>(context: RequestContext, id: string, run: () => Promise<T>): Promise<T> {
  const executions = scoped(ExecutionModel, context.installationId);
  const filter = { _id: `${context.installationId}:${id}` };
  let payload: T;
  try {
    payload = await run();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) await executions.deleteMany(filter);
    throw error;
  }
  await executions.findOneAndUpdate(filter, { $set: { state: 'done', payload } });
  return payload;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex');
}

/** Members in one order, so that equal inputs have equal fingerprints. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
    return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
