import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { isDuplicateKey, scoped } from '../installation/scoped.ts';
import { ExecutionModel, type ExecutionRecord, keyLifeMs } from './model.ts';

/**
 * Duration of the lease. After a kill the key is held for this long; a running request renews its lease three times in
 * it.
 */
const leaseMs = 15_000;
const renewMs = leaseMs / 3;

/** Right of one run to execute the request of a key. */
export interface Claim {
  /** Id of the execution. */
  readonly _id: string;
  /** Fencing token of this run. */
  readonly runId: string;
  /** First use of the key, by any run. */
  readonly createdAt: Date;
  /** Whether an earlier run under this key ended without an outcome. */
  readonly isRepeated: boolean;
}

/**
 * Claims the key of a request, or finds the finished execution. An expired key is claimed like a new one, even if the
 * TTL index has not deleted it yet.
 *
 * @throws AppError `idempotency_key_reused`, `idempotency_in_progress`
 */
export async function claimKey(
  context: RequestContext,
  _id: string,
  fingerprint: string,
): Promise<Claim | { ended: ExecutionRecord }> {
  const executions = scoped(ExecutionModel, context.installationId);
  const createdAt = new Date(context.platform.now());
  const held = { runId: randomUUID(), leaseUntil: new Date(createdAt.getTime() + leaseMs) };
  const fresh = { fingerprint, state: 'running', payload: null, refusal: null, ...held, createdAt } as const;
  try {
    await executions.insert({ _id, ...fresh });
    return { _id, runId: held.runId, createdAt, isRepeated: false };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const earlier = await executions.findOne({ _id });
  const yesterday = new Date(createdAt.getTime() - keyLifeMs);
  if (!earlier || earlier.createdAt <= yesterday) {
    const expired = { _id, createdAt: { $lte: yesterday } };
    const renewed = await executions.findOneAndUpdate(expired, { $set: fresh });
    if (renewed) return { _id, runId: held.runId, createdAt, isRepeated: false };
    return claimKey(context, _id, fingerprint);
  }
  if (earlier.fingerprint !== fingerprint) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new one.',
    );
  }
  if (earlier.state !== 'running') return { ended: earlier };
  const resumed = await executions.findOneAndUpdate(
    { _id, state: 'running', leaseUntil: { $lt: createdAt } },
    { $set: held },
  );
  if (!resumed) throw inProgress();
  return { _id, runId: held.runId, createdAt: resumed.createdAt, isRepeated: true };
}

/** Returns the 409 with `Retry-After`: the client retries the same request after the current run has ended. */
export function inProgress(): AppError {
  return new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still in progress. Retry shortly.',
    { retryAfter: 1 },
  );
}

/** Renews the lease of a run, until the returned function is called. */
export function renewLease({ installationId, platform }: RequestContext, { _id, runId }: Claim): () => void {
  const timer = setInterval(() => {
    const leaseUntil = new Date(platform.now() + leaseMs);
    scoped(ExecutionModel, installationId)
      .updateMany({ _id, runId, state: 'running' }, { $set: { leaseUntil } })
      .catch(() => undefined);
  }, renewMs).unref();
  return () => clearInterval(timer);
}

/** Stores the outcome of a run. Returns false without a write if a later run holds the key. */
export async function endRun(
  { installationId }: RequestContext,
  { _id, runId }: Claim,
  outcome: Pick<ExecutionRecord, 'state'> & Partial<Pick<ExecutionRecord, 'payload' | 'refusal'>>,
): Promise<boolean> {
  const executions = scoped(ExecutionModel, installationId);
  return (await executions.findOneAndUpdate({ _id, runId }, { $set: outcome })) !== null;
}

/**
 * Releases a run without an outcome; the next request under the key continues immediately. Returns false as in
 * `endRun`.
 */
export async function releaseRun(
  { installationId }: RequestContext,
  { _id, runId }: Claim,
): Promise<boolean> {
  const executions = scoped(ExecutionModel, installationId);
  // Without its token, a concurrent renewal does not match it.
  const open = { leaseUntil: new Date(0), runId: null };
  return (await executions.findOneAndUpdate({ _id, runId }, { $set: open })) !== null;
}

/** Makes the key usable for any request, as if this run had not happened. Returns false as in `endRun`. */
export async function freeKey({ installationId }: RequestContext, { _id, runId }: Claim): Promise<boolean> {
  return (await scoped(ExecutionModel, installationId).deleteMany({ _id, runId })) > 0;
}

/** Returns the same use of a key, held by a later run; null if it was deleted. */
export function findSuccessor(
  { installationId }: RequestContext,
  { _id, createdAt }: Claim,
): Promise<ExecutionRecord | null> {
  return scoped(ExecutionModel, installationId).findOne({ _id, createdAt });
}
