import { createHash } from 'node:crypto';
import type { PipelineStage } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { toIpPrefix } from '../../../platform/context/toIpPrefix.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { repeatUpsert } from '../../../platform/installation/repeatUpsert.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { dayMs, minuteMs } from '../../../platform/time/durations.ts';
import { LoginAttemptsModel, type LoginAttemptsRecord } from './model.ts';

/** Failures of an account from one network in a quarter of an hour. */
const fromNetwork = { allowed: 5, windowMs: 15 * minuteMs };
/** Failures of an account from everywhere in a day; after these, one attempt after ever longer pauses. */
const fromEverywhere = { allowed: 50, windowMs: dayMs };
const longestPauseMs = 60 * minuteMs;
/** Period in which a network with a successful sign-in is known; as long as the longest session. */
const knownMs = 90 * dayMs;

/** Counts the failed proofs of one account; it slows down and never locks out for good. */
export interface LoginThrottle {
  /** Called before the proof is checked. @throws AppError `too_many_attempts` with the seconds to wait */
  assertOpen(): Promise<void>;
  recordFailure(): Promise<void>;
  /**
   * Clears the failures from this network, which is then known.
   *
   * @throws AppError `too_many_attempts` if concurrent guesses used up the budget
   */
  recordSuccess(): Promise<void>;
  /** Records that the owner proved control of the mailbox: earlier guesses at the password no longer count. */
  recordReset(): Promise<void>;
}

/**
 * Returns the throttle of an account for every proof of ownership: a sign-in, or the current password. Unknown accounts
 * are counted in the same way, so the response does not distinguish them.
 *
 * It does not lock out owners. Five failures block an account for one network only. The daily limit, which protects
 * against guesses from many networks, does not apply to networks with an earlier sign-in of the owner.
 *
 * @param account subject of the proof, as stored: a normalized address, or the id of a client
 */
export function createLoginThrottle(context: RequestContext, account: string): LoginThrottle {
  const { installationId, platform, clientAddress } = context;
  const attempts = scoped(LoginAttemptsModel, installationId);
  const network = hash([installationId, account, toIpPrefix(clientAddress)]);
  const everywhere = hash([installationId, account]);
  const update = (_id: string, stages: PipelineStage.Set[]) =>
    repeatUpsert(() => attempts.findOneAndUpdate({ _id }, stages, { upsert: true }));
  const takeTurn = async (seen: LoginAttemptsRecord, now: Date): Promise<void> => {
    assertPauseIsOver(seen, now);
    // Of concurrent attempts after a pause, exactly one is checked.
    const { _id, failures, lastFailureAt } = seen;
    const taken = await attempts.findOneAndUpdate(
      { _id, failures, lastFailureAt },
      { $set: { lastFailureAt: now } },
    );
    if (!taken) throw tooManyAttempts(pauseMs(failures));
  };
  return {
    async assertOpen() {
      const now = new Date(platform.now());
      const found = await attempts.find({ _id: { $in: [network, everywhere] } });
      const here = found.find(({ _id }) => _id === network);
      const all = found.find(({ _id }) => _id === everywhere);
      assertRoom(here, now);
      const isKnown = isKnownSince(here, now.getTime() - knownMs);
      if (all && !isKnown && isFull(all, fromEverywhere.allowed, now)) await takeTurn(all, now);
    },
    async recordFailure() {
      const now = new Date(platform.now());
      await update(network, failureStages(now, fromNetwork.windowMs));
      await update(everywhere, failureStages(now, fromEverywhere.windowMs));
    },
    async recordSuccess() {
      const now = new Date(platform.now());
      // Frequent sign-ins are written once a day. Concurrent guesses are detected by a read as well as by a write.
      const [here] = await attempts.find({ _id: network });
      const isNews = !here || here.failures > 0 || !isKnownSince(here, now.getTime() - dayMs);
      assertRoom(isNews ? await update(network, successStages(now)) : here, now);
    },
    async recordReset() {
      await update(network, resetStages(new Date(platform.now())));
    },
  };
}

function isKnownSince(here: LoginAttemptsRecord | undefined, sinceMs: number): boolean {
  return (here?.succeededAt?.getTime() ?? 0) > sinceMs;
}

function isFull({ failures, windowEndsAt }: LoginAttemptsRecord, allowed: number, now: Date): boolean {
  return failures >= allowed && windowEndsAt > now;
}

function assertRoom(here: LoginAttemptsRecord | undefined, now: Date): void {
  if (here && isFull(here, fromNetwork.allowed, now))
    throw tooManyAttempts(here.windowEndsAt.getTime() - now.getTime());
}

function assertPauseIsOver({ failures, lastFailureAt, windowEndsAt }: LoginAttemptsRecord, now: Date): void {
  const openAt = Math.min((lastFailureAt?.getTime() ?? 0) + pauseMs(failures), windowEndsAt.getTime());
  if (openAt > now.getTime()) throw tooManyAttempts(openAt - now.getTime());
}

/**
 * Returns the pause in milliseconds: one minute after the last failure that the day allows, doubled after each further
 * one.
 */
function pauseMs(failures: number): number {
  return Math.min(minuteMs * 2 ** (failures - fromEverywhere.allowed), longestPauseMs);
}

function tooManyAttempts(waitMs: number): AppError {
  return new AppError(
    'too_many_attempts',
    'Too many failed sign-ins. Retry after the time in `Retry-After`.',
    {
      retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
    },
  );
}

/** Returns the stages that add a failure, in the open window or in a new one. */
function failureStages(now: Date, windowMs: number): PipelineStage.Set[] {
  const isOpen = { $gt: ['$windowEndsAt', now] };
  const ends = new Date(now.getTime() + windowMs);
  return [
    {
      $set: {
        failures: { $cond: [isOpen, { $add: ['$failures', 1] }, 1] },
        windowEndsAt: { $cond: [isOpen, '$windowEndsAt', ends] },
        lastFailureAt: now,
        expiresAt: { $max: ['$expiresAt', ends] },
      },
    },
  ];
}

/**
 * Returns the stages that clear failures and mark the network as known, unless the window is full; then nothing
 * changes.
 */
function successStages(now: Date): PipelineStage.Set[] {
  const isShut = {
    $and: [{ $gt: ['$windowEndsAt', now] }, { $gte: ['$failures', fromNetwork.allowed] }],
  };
  return [
    {
      $set: {
        failures: { $cond: [isShut, '$failures', 0] },
        windowEndsAt: { $ifNull: ['$windowEndsAt', now] },
        succeededAt: { $cond: [isShut, '$succeededAt', now] },
        expiresAt: { $cond: [isShut, '$expiresAt', new Date(now.getTime() + knownMs)] },
      },
    },
  ];
}

function resetStages(now: Date): PipelineStage.Set[] {
  const expiresAt = new Date(now.getTime() + knownMs);
  return [{ $set: { failures: 0, windowEndsAt: now, succeededAt: now, expiresAt } }];
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
