import { createHash } from 'node:crypto';
import { type Attempt, attemptWithoutKey } from '../context/Attempt.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { repeatableId } from '../ids/newId.ts';
import {
  type Claim,
  claimKey,
  endRun,
  findSuccessor,
  freeKey,
  inProgress,
  releaseRun,
  renewLease,
} from './claim.ts';
import { isFinal } from './finalAnswers.ts';
import type { ExecutionRecord } from './model.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a mutation once for each `Idempotency-Key`. For a day, the same key and input return the stored payload, even
 * after a lost response; another input is refused. Without a key, it simply runs. Errors are handled as follows:
 * - A conflict (409), and an error marked with `asFinal`, is the response of this key and is thrown again.
 * - Another refusal of the first run frees the key, because nothing was started.
 * - Any other error leaves the key open, as does a refusal of a repeated run, because an earlier run may have started.
 *   The next request continues immediately, or after the lease of a killed run. A conflict with `retryAfter` belongs
 *   here, because it may occur after the record was written, as in the ledger.
 *
 * @param operation name of the root field
 * @param input the mutation's input; its `idempotencyKey` is not part of the fingerprint
 * @param run gets the ids of created records from its attempt, so that a retry after a crash finds the first record
 *   instead of writing a second one
 * @throws AppError `idempotency_key_invalid`, `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function once<T>(
  context: RequestContext,
  operation: string,
  input: { idempotencyKey?: string | null | undefined },
  run: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { idempotencyKey, ...rest } = input;
  if (idempotencyKey === null || idempotencyKey === undefined) return run(attemptWithoutKey);
  if (!keyPattern.test(idempotencyKey)) {
    throw new AppError(
      'idempotency_key_invalid',
      'An Idempotency-Key must have 1 to 255 visible ASCII characters.',
    );
  }
  const { installationId } = context;
  const id = hash([context.viewer.id, operation, idempotencyKey]);
  const claim = await claimKey(context, `${installationId}:${id}`, hash([operation, rest]));
  if ('ended' in claim) return replay(context, claim.ended) as T;
  // The same key creates other records after it has expired.
  const seed = [installationId, id, claim.createdAt.toISOString()];
  return settle(context, claim, () =>
    run({ newId: (type) => repeatableId(type, ...seed), isRepeated: claim.isRepeated }),
  );
}

/** Returns the payload of the first request, or throws its refusal. */
function replay(context: RequestContext, { payload, refusal }: ExecutionRecord): unknown {
  context.answer.idempotentReplayed = true;
  if (!refusal) return payload;
  throw new AppError(refusal.code, refusal.message, refusal.details);
}

async function settle<T>(context: RequestContext, claim: Claim, run: () => Promise<T>): Promise<T> {
  const stopRenewing = renewLease(context, claim);
  let isHeld: boolean;
  let answer: () => T;
  try {
    const payload = await run();
    isHeld = await endRun(context, claim, { state: 'done', payload });
    answer = () => payload;
  } catch (error) {
    // If the database is unavailable, the outcome cannot be stored; the lease expires automatically.
    isHeld = await conclude(context, claim, error).catch(() => true);
    answer = () => {
      throw error;
    };
  } finally {
    stopRenewing();
  }
  return isHeld ? answer() : answerOfSuccessor(context, claim, answer);
}

/** Stores the consequence of an error for the key. Returns false if a later run holds the key. */
function conclude(context: RequestContext, claim: Claim, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError)) return releaseRun(context, claim);
  const { code, message, details } = error;
  if (isAnswer(error))
    return endRun(context, claim, { state: 'refused', refusal: { code, message, details } });
  // The next run must find what was started under this key; a freed key would create other records.
  const mayFree = error.status < 500 && error.status !== 409 && !claim.isRepeated;
  return mayFree ? freeKey(context, claim) : releaseRun(context, claim);
}

/** Returns whether the same request under the same key gets this error again, without being executed. */
function isAnswer(error: AppError): boolean {
  return isFinal(error) || (error.status === 409 && error.details.retryAfter === undefined);
}

/**
 * Returns the response of the run that took over a stalled run, so that a key has one response.
 *
 * @param own its own response, for a key that was deleted meanwhile
 */
async function answerOfSuccessor<T>(context: RequestContext, claim: Claim, own: () => T): Promise<T> {
  const successor = await findSuccessor(context, claim);
  if (!successor) return own();
  if (successor.state === 'running') throw inProgress();
  return replay(context, successor) as T;
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex');
}

/** Sorts members, so that equal inputs have equal fingerprints. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date)
    return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
