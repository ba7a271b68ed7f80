import { createHash } from 'node:crypto';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { toIpPrefix } from '../../platform/context/toIpPrefix.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isDuplicateKey, scoped } from '../../platform/installation/scoped.ts';
import { LoginFailuresModel, type LoginFailuresRecord } from './model.ts';

const allowedFailures = 5;
const windowMs = 15 * 60_000;

/** Counts the failed sign-ins of one account from one network; it slows down and never locks out for good. */
export interface LoginThrottle {
  /** @throws AppError `too_many_attempts` with the seconds to wait */
  assertOpen(): Promise<void>;
  recordFailure(): Promise<void>;
  /** Forgets the failures. @throws AppError `too_many_attempts` when guesses made meanwhile used the budget up */
  recordSuccess(): Promise<void>;
}

/**
 * Accounts that do not exist are counted like others, so the answer does not tell them apart. Failures from another
 * network do not count: otherwise anybody could keep an owner out of his account.
 */
export function createLoginThrottle(context: RequestContext, account: string): LoginThrottle {
  const failures = scoped(LoginFailuresModel, context.installationId);
  const _id = hash([context.installationId, account, toIpPrefix(context.clientAddress)]);
  const now = () => new Date(context.platform.now());
  const findOpen = () => failures.findOne({ _id, windowEndsAt: { $gt: now() } });
  return {
    async assertOpen() {
      assertBelowLimit(await findOpen(), now());
    },
    async recordFailure() {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const counted = await failures.findOneAndUpdate(
          { _id, windowEndsAt: { $gt: now() } },
          { $inc: { failures: 1 } },
        );
        if (counted) return;
        await failures.deleteMany({ _id, windowEndsAt: { $lte: now() } });
        try {
          await failures.insert({ _id, failures: 1, windowEndsAt: new Date(now().getTime() + windowMs) });
          return;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },
    async recordSuccess() {
      const open = await findOpen();
      assertBelowLimit(open, now());
      if (open) await failures.deleteMany({ _id });
    },
  };
}

function assertBelowLimit(open: LoginFailuresRecord | null, now: Date): void {
  if (!open || open.failures < allowedFailures) return;
  throw new AppError('too_many_attempts', 'Too many failed sign-ins: wait before the next one.', {
    retryAfter: Math.max(1, Math.ceil((open.windowEndsAt.getTime() - now.getTime()) / 1000)),
  });
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
