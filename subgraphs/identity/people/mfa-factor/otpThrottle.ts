import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { OtpAttemptsModel } from './model.ts';

/** Maximum number of wrong codes within a period. */
interface Budget {
  readonly name: string;
  readonly allowed: number;
  readonly windowMs: number;
}

const recent: Budget = { name: 'recent', allowed: 5, windowMs: 5 * 60_000 };
/** Daily budget; without it, an attacker with the password could guess for weeks. */
const daily: Budget = { name: 'daily', allowed: 50, windowMs: 24 * 3600_000 };

/** A guess that was counted before it is checked. */
export interface OtpAttempt {
  /** Refunds a correct guess. Earlier wrong guesses still count. */
  refund(): Promise<void>;
}

/**
 * Counts a guess. An account may have five wrong codes within five minutes. For a sign-in, one password also allows
 * fifty within a day; a new password resets this count, so a thief of the old one cannot lock out the owner. The guess
 * is counted before it is checked, so that concurrent guesses cannot exceed the limit; a correct one is refunded.
 * Callers know the password or hold a session, so anonymous callers cannot use up guesses.
 *
 * @param passwordVersion of a sign-in
 * @throws AppError `too_many_attempts` with the seconds to wait
 */
export async function takeOtpAttempt(
  context: RequestContext,
  userId: string,
  passwordVersion?: string,
): Promise<OtpAttempt> {
  const taken = [await take(context, recent, [userId])];
  if (passwordVersion !== undefined) taken.push(await take(context, daily, [userId, passwordVersion]));
  return {
    async refund() {
      for (const attempt of taken) await attempt.refund();
    },
  };
}

async function take(
  { installationId, platform }: RequestContext,
  { name, allowed, windowMs }: Budget,
  key: readonly string[],
): Promise<OtpAttempt> {
  const attempts = scoped(OtpAttemptsModel, installationId);
  const _id = createHash('sha256')
    .update(JSON.stringify([installationId, name, ...key]))
    .digest('base64url');
  const now = new Date(platform.now());
  const refund = async () => {
    await attempts.findOneAndUpdate({ _id, windowEndsAt: { $gt: now } }, { $inc: { taken: -1 } });
  };
  for (let round = 0; round < 3; round += 1) {
    const taken = await attempts.findOneAndUpdate(
      { _id, windowEndsAt: { $gt: now }, taken: { $lt: allowed } },
      { $inc: { taken: 1 } },
    );
    if (taken) return { refund };
    await attempts.deleteMany({ _id, windowEndsAt: { $lte: now } });
    const full = await attempts.findOne({ _id, taken: { $gte: allowed } });
    if (full) throw tooMany(full.windowEndsAt, now);
    try {
      await attempts.insert({ _id, taken: 1, windowEndsAt: new Date(now.getTime() + windowMs) });
      return { refund };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw tooMany(new Date(now.getTime() + 1000), now);
}

function tooMany(until: Date, now: Date): AppError {
  return new AppError('too_many_attempts', 'Too many wrong codes. Retry after the time in `Retry-After`.', {
    retryAfter: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
  });
}
