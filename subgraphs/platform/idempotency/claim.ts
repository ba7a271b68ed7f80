import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import { isDuplicateKey, scoped } from '../installation/scoped.ts';
import { ExecutionModel, type ExecutionRecord, keyLifeMs } from './model.ts';

/** After a kill the key is held for this long; a running request renews its lease three times meanwhile. */
const leaseMs = 15_000;
const renewMs = leaseMs / 3;

/** Right of one run to carry out the request of a key. */
export interface Claim {
  /** Id of the execution. */
  readonly _id: string;
  /** Fencing token of this run. */
  readonly runId: string;
  /** First use of the key, by whichever run. */
  readonly createdAt: Date;
  /** Whether an earlier run under this key ended without an outcome. */
  readonly isRepeated: boolean;
}

/**
 * Claims the key of a request, or finds the execution that ended. A key whose day is over is claimed like a new one,
 * whether or not the TTL index has deleted it yet.
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

/** 409 with `Retry-After`: the same request is to be repeated when the run that holds the key has ended. */
export function inProgress(): AppError {
  return new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still in progress. Retry shortly.',
    { retryAfter: 1 },
  );
}

/** Keeps the lease of a run that takes longer than one, until the returned function is called. */
export function renewLease({ installationId, platform }: RequestContext, { _id, runId }: Claim): () => void {
  const timer = setInterval(() => {
    const leaseUntil = new Date(platform.now() + leaseMs);
    scoped(ExecutionModel, installationId)
      .updateMany({ _id, runId, state: 'running' }, { $set: { leaseUntil } })
      .catch(() => undefined);
  }, renewMs).unref();
  return () => clearInterval(timer);
}

/** Writes the outcome of a run. False if a later run holds the key: then nothing is written. */
export async function endRun(
  { installationId }: RequestContext,
  { _id, runId }: Claim,
  outcome: Pick<ExecutionRecord, 'state'> & Partial<Pick<ExecutionRecord, 'payload' | 'refusal'>>,
): Promise<boolean> {
  const executions = scoped(ExecutionModel, installationId);
  return (await executions.findOneAndUpdate({ _id, runId }, { $set: outcome })) !== null;
}

/** Gives up a run without an outcome: the next request under the key continues it at once. False as in `endRun`. */
export async function releaseRun(
  { installationId }: RequestContext,
  { _id, runId }: Claim,
): Promise<boolean> {
  const executions = scoped(ExecutionModel, installationId);
  // Without its token, a renewal that is still under way does not find it.
  const open = { leaseUntil: new Date(0), runId: null };
  return (await executions.findOneAndUpdate({ _id, runId }, { $set: open })) !== null;
}

/** Makes the key usable for any request, as if this run had not been. False as in `endRun`. */
export async function freeKey({ installationId }: RequestContext, { _id, runId }: Claim): Promise<boolean> {
  return (await scoped(ExecutionModel, installationId).deleteMany({ _id, runId })) > 0;
}

/** The same use of a key as a run has lost it to a later one; null if it was deleted. */
export function findSuccessor(
  { installationId }: RequestContext,
  { _id, createdAt }: Claim,
): Promise<ExecutionRecord | null> {
  return scoped(ExecutionModel, installationId).findOne({ _id, createdAt });
}
