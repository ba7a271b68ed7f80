import { createHash } from 'node:crypto';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { type IdType, newId, repeatableId } from '../ids/newId.ts';
import { isDuplicateKey, scoped } from '../installation/scoped.ts';
import { isFinal } from './finalAnswers.ts';
import { ExecutionModel, type ExecutionRecord } from './model.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;
/** After a kill nobody goes on for so long; whoever lives renews it thrice meanwhile. */
const leaseMs = 15_000;
const renewMs = leaseMs / 3;

/**
 * Runs a mutation once per `Idempotency-Key`: the same key and input get the stored payload again, also after a lost
 * answer; another input is refused. Without a key it just runs. Of what is thrown
 *
 * - a conflict (409) and what is marked `asFinal` is the answer of this key, and thrown again,
 * - another refusal leaves the key free, as does a conflict that says when to repeat the request (`retryAfter`): nothing
 *   was begun,
 * - anything else leaves it open: the next request goes on where this one ended, at once; after a kill, when its lease is
 *   over.
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
  if ('earlier' in claimed) {
    context.answer.idempotentReplayed = true;
    return answerOf(claimed.earlier) as T;
  }
  const { isRepeated } = claimed;
  return settle(context, { id, ...claimed }, () =>
    run({ newId: (type) => repeatableId(type, context.installationId, id), isRepeated }),
  );
}

/** What the first request was answered, be it a payload or a refusal. */
function answerOf({ payload, refusal }: ExecutionRecord): unknown {
  if (!refusal) return payload;
  throw new AppError(refusal.code, refusal.message, refusal.details);
}

/** One run of a mutation under a key. */
export interface Attempt {
  /** Id for the record of this type that the mutation creates: the same one in every run under one key. */
  newId(type: IdType): string;
  /** Whether an earlier run under this key ended without a word: it may have come any distance. */
  readonly isRepeated: boolean;
}

/** That this request runs, until its lease is over unless it is renewed; or the execution that has ended. */
type Claim = { isRepeated: boolean; leaseUntil: Date } | { earlier: ExecutionRecord };

async function claim(context: RequestContext, id: string, fingerprint: string): Promise<Claim> {
  const executions = scoped(ExecutionModel, context.installationId);
  const now = new Date(context.platform.now());
  const leaseUntil = new Date(now.getTime() + leaseMs);
  try {
    await executions.insert({
      _id: `${context.installationId}:${id}`,
      fingerprint,
      state: 'running',
      payload: null,
      refusal: null,
      leaseUntil,
      createdAt: now,
    });
    return { isRepeated: false, leaseUntil };
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
  if (earlier.state !== 'running') return { earlier };
  const resumed = await executions.findOneAndUpdate(
    { _id: earlier._id, state: 'running', leaseUntil: { $lt: now } },
    { $set: { leaseUntil } },
  );
  if (resumed) return { isRepeated: true, leaseUntil };
  throw new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retryAfter: 1 },
  );
}

interface Running {
  id: string;
  leaseUntil: Date;
}

async function settle<T>(context: RequestContext, running: Running, run: () => Promise<T>): Promise<T> {
  const stopRenewing = renew(context, running);
  try {
    const payload = await run();
    await end(context, running, { state: 'done', payload });
    return payload;
  } catch (error) {
    // A database that is away has nothing to say about what went wrong; the lease runs out by itself.
    await conclude(context, running, error).catch(() => undefined);
    throw error;
  } finally {
    stopRenewing();
  }
}

/** Whoever works longer than a lease lasts keeps it. */
function renew({ installationId, platform }: RequestContext, { id, leaseUntil }: Running): () => void {
  let until = leaseUntil;
  const timer = setInterval(() => {
    const next = new Date(platform.now() + leaseMs);
    scoped(ExecutionModel, installationId)
      .updateMany(
        { _id: `${installationId}:${id}`, state: 'running', leaseUntil: until },
        { $set: { leaseUntil: next } },
      )
      .then(
        (matched) => {
          if (matched > 0) until = next;
        },
        () => undefined,
      );
  }, renewMs).unref();
  return () => clearInterval(timer);
}

async function conclude(context: RequestContext, running: Running, error: unknown): Promise<void> {
  const { installationId } = context;
  if (error instanceof AppError && isAnswer(error)) {
    const { code, message, details } = error;
    await end(context, running, { state: 'refused', refusal: { code, message, details } });
  } else if (error instanceof AppError && error.status < 500) {
    await scoped(ExecutionModel, installationId).deleteMany({ _id: `${installationId}:${running.id}` });
  } else await end(context, running, { leaseUntil: new Date(0) });
}

/** Whether the same request under the same key gets this again, instead of being carried out. */
function isAnswer(error: AppError): boolean {
  return isFinal(error) || (error.status === 409 && error.details.retryAfter === undefined);
}

async function end(
  { installationId }: RequestContext,
  { id }: Running,
  changes: Partial<ExecutionRecord>,
): Promise<void> {
  await scoped(ExecutionModel, installationId).findOneAndUpdate(
    { _id: `${installationId}:${id}` },
    { $set: changes },
  );
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
