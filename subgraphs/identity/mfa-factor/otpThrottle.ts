import { createHash } from 'node:crypto';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { OtpAttemptsModel } from './model.ts';

const allowedWrong = 5;
const windowMs = 5 * 60_000;

/** A guess that was paid for before it was looked at. */
export interface OtpAttempt {
  /** Gives the guess back: it was right. Wrong ones before it stay counted. */
  refund(): Promise<void>;
}

/**
 * Takes one of the five wrong codes that an account may have within five minutes. The guess is counted before it is
 * judged, so that guesses made all at once are five as well; a right one is given back. Whoever gets here knows the
 * password or holds a session: a stranger cannot use up the owner's guesses.
 *
 * @throws AppError `too_many_attempts` with the seconds to wait
 */
export async function takeOtpAttempt(context: RequestContext, userId: string): Promise<OtpAttempt> {
  const attempts = scoped(OtpAttemptsModel, context.installationId);
  const _id = createHash('sha256')
    .update(JSON.stringify([context.installationId, userId]))
    .digest('base64url');
  const now = new Date(context.platform.now());
  const refund = async () => {
    await attempts.findOneAndUpdate({ _id, windowEndsAt: { $gt: now } }, { $inc: { taken: -1 } });
  };
  for (let round = 0; round < 3; round += 1) {
    const taken = await attempts.findOneAndUpdate(
      { _id, windowEndsAt: { $gt: now }, taken: { $lt: allowedWrong } },
      { $inc: { taken: 1 } },
    );
    if (taken) return { refund };
    await attempts.deleteMany({ _id, windowEndsAt: { $lte: now } });
    const full = await attempts.findOne({ _id, taken: { $gte: allowedWrong } });
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
  return new AppError('too_many_attempts', 'Too many wrong codes: wait before the next one.', {
    retryAfter: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
  });
}
